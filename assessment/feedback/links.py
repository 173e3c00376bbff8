"""Addresses, and the signature that lets a picture be shown without a token."""

from django.core import signing
from django.utils.crypto import constant_time_compare

PREFIX = "/api/v1"
_SIGNER = signing.Signer(salt="remat.figure.1", sep="~")


def sign_figure(demonstration: str, name: str) -> str:
    """The signature of all formats and languages of one figure of one demonstration."""
    return str(_SIGNER.signature(f"{demonstration}/{name}"))


def is_figure_signed(demonstration: str, name: str, *, signature: str) -> bool:
    return constant_time_compare(signature, sign_figure(demonstration, name))


def make_figure_url(demonstration: str, name: str, *, kind: str, lang: str) -> str:
    """The path of a picture, good for an `<img>` or an e-mail."""
    signature = sign_figure(demonstration, name)
    path = f"{PREFIX}/demonstrations/{demonstration}/figures/{name}.{kind}"
    return f"{path}?lang={lang}&s={signature}"


def make_demonstration_url(demonstration: str) -> str:
    return f"{PREFIX}/demonstrations/{demonstration}"


def make_trace_url(demonstration: str) -> str:
    return f"{make_demonstration_url(demonstration)}/trace"
