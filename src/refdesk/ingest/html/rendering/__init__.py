"""An HTML tree to Markdown."""

from refdesk.ingest.html.rendering.render import Rendered, RenderOptions, render, render_inline

__all__ = ["RenderOptions", "Rendered", "render", "render_inline"]
