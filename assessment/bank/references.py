"""Where the works stand that items name: papers by identifier, documentation by address."""

import re

_SCHEMES = (
    (re.compile(r"arXiv:(\d{4}\.\d{4,5})"), "https://arxiv.org/abs/{}"),
    (re.compile(r"doi:(10\.\d{4,9}/[!-~]+)"), "https://doi.org/{}"),
    (re.compile(r"((?:[a-z0-9-]+\.)+[a-z]{2,}/[!-~]*)"), "https://{}"),
)
# What an identifier looks like, and the address that it stands for.


def find_url(reference: str) -> str | None:
    """The address of a work; None for what is no identifier of one."""
    for pattern, address in _SCHEMES:
        match = pattern.fullmatch(reference)
        if match is not None:
            return address.format(match[1])
    return None
