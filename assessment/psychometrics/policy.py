"""How the items of an adaptive test are chosen: the settings, as plain JSON."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from assessment.psychometrics.content import ContentTarget

Criterion = Literal["MFI", "MPWI", "KLP", "MEPV", "GDIP", "bOpt", "thOpt"]
CRITERIA: tuple[str, ...] = get_args(Criterion)


@dataclass(frozen=True)
class Policy:
    """How items are chosen.

    Attributes
    ----------
    criterion : str
        What an item is worth; larger is better for each (MEPV counts the variance saved).
    randomesque : int
        Draw among so many best items (Kingsbury and Zara 1989), and those equal to them.
    exposure_cap : float or None
        Largest share of sessions that may see an item.
    content : tuple of ContentTarget
        Shares of the test that concepts should have; `length` is the planned length.
    retest_share : float
        An item that re-tests a held misconception is preferred when its worth is within
        this share of the best item's.
    num_unscored : int
        New items given in each session, at positions drawn from the session's seed.
    """

    criterion: Criterion = "MFI"
    randomesque: int = 1
    exposure_cap: float | None = None
    content: tuple[ContentTarget, ...] = ()
    length: int = 20
    retest_share: float = 0.1
    num_unscored: int = 0

    def __post_init__(self) -> None:
        if self.randomesque < 1 or self.length < 1 or not 0 <= self.retest_share <= 1:
            raise ValueError(f"not a policy: {self}")
        if self.criterion not in CRITERIA:
            raise ValueError(f"no such criterion: {self.criterion}")
        if self.exposure_cap is not None and not 0 < self.exposure_cap <= 1:
            raise ValueError(f"not an exposure cap: {self.exposure_cap}")
        if not 0 <= self.num_unscored < self.length:
            raise ValueError("the unscored items must be fewer than the items of the test")

    def as_json(self) -> dict[str, object]:
        """Return the policy as plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, object]) -> "Policy":
        """Return the policy that `as_json` wrote."""
        fields = dict(data)
        content = fields.pop("content", ())
        assert isinstance(content, list | tuple)
        return cls(**fields, content=tuple(ContentTarget(**row) for row in content))  # type: ignore[arg-type]
