"""An HTML tree to Markdown."""

from refdesk.ingest.html.rendering.options import RenderOptions
from refdesk.ingest.html.rendering.render import Rendered, render, render_inline

__all__ = ["RenderOptions", "Rendered", "render", "render_inline"]
