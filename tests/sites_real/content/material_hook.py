"""Lets hatch's own preprocessor expand its notation for tabs; its other ones need hatch installed."""

import importlib
import sys
from typing import Any


def on_page_markdown(markdown: str, *, config: Any, **_others: Any) -> str:
    hooks = f"{config['docs_dir']}/.hooks"
    if hooks not in sys.path:
        sys.path.insert(0, hooks)
    blocks = importlib.import_module("expand_blocks").ExpandedBlocksPreprocessor()
    return "\n".join(blocks.run(markdown.splitlines()))
