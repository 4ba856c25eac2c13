import pytest

from contracts.embedder_contract import EmbedderContract
from fakes.embedder import HashingEmbedder


class TestHashingEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> HashingEmbedder:
        return HashingEmbedder()
