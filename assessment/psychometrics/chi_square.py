"""The upper tail of the chi-square distribution, with the standard library alone."""

import math


def compute_chi_square_tail(x: float, *, df: int) -> float:
    """Return P(X >= x) for X with df degrees of freedom.

    The regularized upper incomplete gamma function Q(df / 2, x / 2), by its series below
    df / 2 + 1 and by Lentz's continued fraction above (Press et al. 2007, section 6.2).
    """
    if df < 1 or not x >= 0:
        raise ValueError(f"no chi-square tail for x = {x}, df = {df}")
    shape, at = df / 2.0, x / 2.0
    if at == 0.0:
        return 1.0
    front = math.exp(shape * math.log(at) - at - math.lgamma(shape))
    if at < shape + 1.0:
        return max(0.0, 1.0 - front * _sum_series(shape, at))
    return front * _expand_fraction(shape, at)


def _sum_series(shape: float, at: float) -> float:
    term = total = 1.0 / shape
    while abs(term) > 1e-16 * abs(total):
        shape += 1.0
        term *= at / shape
        total += term
    return total


def _expand_fraction(shape: float, at: float) -> float:
    tiny = 1e-300
    b = at + 1.0 - shape
    c, d = 1.0 / tiny, 1.0 / b
    value = d
    for i in range(1, 10_000):
        factor = -i * (i - shape)
        b += 2.0
        d = 1.0 / (_keep_away(factor * d + b, tiny))
        c = _keep_away(b + factor / c, tiny)
        value *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return value


def _keep_away(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny
