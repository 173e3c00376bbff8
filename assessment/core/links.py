"""Addresses that travel in replies, and the signature that shows a picture without a token."""

from django.core import signing
from django.utils.crypto import constant_time_compare

PREFIX = "/api/v1"
_SALT = "remat.figure.1"


def sign_figure(demonstration: str, name: str) -> str:
    """The signature of all formats and languages of one figure of one demonstration."""
    signer = signing.Signer(salt=_SALT, sep="~")
    return signer.signature(f"{demonstration}/{name}")


def is_figure_signed(demonstration: str, name: str, *, signature: str) -> bool:
    return constant_time_compare(signature, sign_figure(demonstration, name))


def make_figure_url(demonstration: str, name: str, *, kind: str, lang: str) -> str:
    """The path of a picture, good for an `<img>` or an e-mail; it is handed out with feedback."""
    signature = sign_figure(demonstration, name)
    return (
        f"{PREFIX}/demonstrations/{demonstration}/figures/{name}.{kind}?lang={lang}&s={signature}"
    )


def make_demonstration_url(demonstration: str) -> str:
    return f"{PREFIX}/demonstrations/{demonstration}"


def make_trace_url(demonstration: str) -> str:
    return f"{make_demonstration_url(demonstration)}/trace"
