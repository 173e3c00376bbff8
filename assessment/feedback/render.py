"""Pictures of a specification, drawn by vl-convert without a browser.

The engine (110 MB) is loaded by the first picture, so a process that draws none pays nothing.
"""

from collections.abc import Mapping

VEGA_LITE = "5.21"
# Named, so that an upgrade of vl-convert does not change old pictures unseen.

PNG_SCALE = 2.0
# 720 px wide: sharp on the screens of phones and in e-mail.


def render_svg(spec: Mapping[str, object]) -> bytes:
    """SVG, UTF-8. Reads no URL: the data are in the specification."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg(dict(spec), vl_version=VEGA_LITE, allowed_base_urls=[])
    return drawn.encode()


def render_png(spec: Mapping[str, object]) -> bytes:
    """PNG, 720 px wide."""
    import vl_convert

    return vl_convert.vegalite_to_png(
        dict(spec), vl_version=VEGA_LITE, scale=PNG_SCALE, allowed_base_urls=[]
    )
