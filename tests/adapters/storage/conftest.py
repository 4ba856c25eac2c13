"""Contract suites explain their failures as tests do."""

import pytest

pytest.register_assert_rewrite("contracts")
