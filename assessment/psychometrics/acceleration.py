"""Anderson acceleration of a fixed-point iteration that should climb an objective."""

import numpy as np

from assessment.psychometrics.items import Floats


class Anderson:
    """Extrapolates x from its last images g(x) (Walker and Ni 2011, algorithm 2).

    When an extrapolated point turns out lower than the best before it, the next point is
    the plain image of that best point, and the memory starts anew; so the objective of
    every second point at least rises as it does under plain iteration.
    """

    def __init__(self, *, depth: int) -> None:
        self._depth = depth
        self._points: list[Floats] = []
        self._residuals: list[Floats] = []
        self._best = -np.inf
        self._fallback: Floats | None = None

    def advance(self, x: Floats, image: Floats, objective: float) -> Floats:
        """Return the next point, given x, its image and the objective at x."""
        if self._fallback is not None and objective < self._best - 1e-9 * abs(self._best):
            fallback, self._fallback = self._fallback, None
            self._points.clear()
            self._residuals.clear()
            return fallback
        self._best = max(self._best, objective)
        self._fallback = image
        self._points.append(x)
        self._residuals.append(image - x)
        del self._points[: -self._depth - 1], self._residuals[: -self._depth - 1]
        return image if len(self._points) < 2 else self._extrapolate(image)

    def _extrapolate(self, image: Floats) -> Floats:
        dx = np.diff(np.stack(self._points), axis=0)
        df = np.diff(np.stack(self._residuals), axis=0)
        gram = df @ df.T
        gram[np.diag_indices_from(gram)] += 1e-10 * max(float(np.trace(gram)), 1e-300)
        mix = np.linalg.solve(gram, df @ self._residuals[-1])
        return np.asarray(image - mix @ (dx + df))
