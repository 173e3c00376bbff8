"""A calibration of a bank as a proposal: gates, priors, anchors, errors, fit and drift."""

import math
from dataclasses import dataclass, replace

import numpy as np

from assessment.psychometrics.calibration import (
    DEFAULT_SETTINGS,
    FIXED,
    Calibration,
    ItemPriors,
    Settings,
    calibrate,
)
from assessment.psychometrics.cold_start import choose_models, make_authored_priors
from assessment.psychometrics.drift import Drift, find_drift
from assessment.psychometrics.item_fit import (
    ItemFit,
    MeanSquares,
    compute_mean_squares,
    compute_s_x2,
)
from assessment.psychometrics.items import Floats, Indexes, ItemParameters, Mask
from assessment.psychometrics.responses import Responses

MODEL_NAMES = ("authored", "1PL", "2PL", "3PL")
NUM_FREE = np.array([0, 1, 2, 3])
# The common a of the 1PL is not counted against a single item's degrees of freedom.


@dataclass(frozen=True, eq=False)
class Proposal:
    """What an instructor may publish as the next bank version; nothing changes until then.

    Attributes
    ----------
    is_anchor, is_provisional : (I,) bool
        Held at the present values; resting on what was guessed before there were answers.
    drift : Drift or None
        Against the present parameters, where errors of those are known.
    """

    calibration: Calibration
    is_anchor: Mask
    is_provisional: Mask
    fits: list[ItemFit]
    mean_squares: MeanSquares
    drift: Drift | None

    def list_rows(self) -> list[dict[str, object]]:
        """Return one row of plain JSON an item; None for what is unknown."""
        result = self.calibration
        rows: list[dict[str, object]] = []
        for i in range(len(result.items)):
            fit = self.fits[i]
            model = self._name_model(i)
            rows.append(
                {
                    "index": i,
                    "model": model,
                    "num_answers": int(result.num_answers[i]),
                    "is_provisional": bool(self.is_provisional[i]),
                    **{name: float(getattr(result.items, name)[i]) for name in "abcd"},
                    "se_a": _tell(result.se_a[i]),
                    "se_b": _tell(result.se_b[i]),
                    "se_c": _tell(result.se_c[i]),
                    "s_x2": fit.statistic,
                    "s_x2_df": fit.df,
                    "s_x2_p": fit.p_value,
                    "s_x2_reason": fit.reason,
                    "outfit": _tell(self.mean_squares.outfit[i]),
                    "infit": _tell(self.mean_squares.infit[i]),
                    **self._tell_drift(i),
                }
            )
        return rows

    def _name_model(self, index: int) -> str:
        if self.is_anchor[index]:
            return "anchor"
        model = int(self.calibration.models[index])
        return "kept" if model == FIXED and not self.is_provisional[index] else MODEL_NAMES[model]

    def _tell_drift(self, index: int) -> dict[str, object]:
        """The drift of one item; None where it is not known."""
        change = _tell(self.drift.change[index]) if self.drift else None
        is_drifting = bool(self.drift.is_flagged[index]) if self.drift else False
        return {"drift": change, "is_drifting": is_drifting if change is not None else None}


def propose_calibration(
    responses: Responses,
    present: ItemParameters,
    *,
    is_anchor: Mask | None = None,
    is_calibrated: Mask | None = None,
    models: Indexes | None = None,
    present_se_b: Floats | None = None,
    wants_three_pl: bool = False,
    priors: ItemPriors | None = None,
    settings: Settings = DEFAULT_SETTINGS,
) -> Proposal:
    """Calibrate what the answers carry and leave the rest at its prior.

    Parameters
    ----------
    present : ItemParameters
        Parameters in use: authored ones, or those of the last calibration.
    is_anchor : (I,) bool or None
        Items that hold the scale; with them the population's mean and SD are estimated.
    is_calibrated : (I,) bool or None
        Items whose present parameters rest on answers. Where the answers are too few for them
        to be estimated again, these are kept and not called provisional.
    models : (I,) int or None
        None lets the number of answers decide.
    present_se_b : (I,) float or None
        Errors of the present b, for drift; NaN where there are none.
    priors : ItemPriors or None
        None takes the present parameters for authored ones.
    """
    anchors = np.zeros(len(present), np.bool_) if is_anchor is None else is_anchor
    if models is None:
        models = choose_models(responses.num_answers, wants_three_pl=wants_three_pl)
    models = np.where(anchors, FIXED, models)
    calibration = calibrate(
        responses,
        models=models,
        start=present,
        priors=make_authored_priors(present) if priors is None else priors,
        estimate_population=bool(anchors.any()),
        settings=settings,
    )
    items, population = calibration.items, calibration.population
    num_free = NUM_FREE[models]
    drift = None
    if present_se_b is not None:
        freed = _free_anchors(responses, calibration, anchors, settings)
        is_new = anchors | (models != FIXED)
        old_se = np.where(is_new, present_se_b, np.nan)
        drift = find_drift(present.b, freed.items.b, old_se=old_se, new_se=freed.se_b)
    return Proposal(
        calibration,
        anchors,
        (models == FIXED) & ~(anchors if is_calibrated is None else anchors | is_calibrated),
        compute_s_x2(responses, items, num_free=num_free, population=population),
        compute_mean_squares(responses, items, population=population),
        drift,
    )


def _free_anchors(
    responses: Responses, calibration: Calibration, anchors: Mask, settings: Settings
) -> Calibration:
    """Estimate the anchors against the rest, as their own drift cannot be seen while they hold."""
    if not anchors.any():
        return calibration
    freed = calibrate(
        responses,
        models=np.where(anchors, choose_models(responses.num_answers), FIXED),
        start=calibration.items,
        priors=make_authored_priors(calibration.items),
        settings=settings,
        population=calibration.population,
    )
    b = np.where(anchors, freed.items.b, calibration.items.b)
    se_b = np.where(anchors, freed.se_b, calibration.se_b)
    items = ItemParameters(calibration.items.a, b, calibration.items.c, calibration.items.d)
    return replace(calibration, items=items, se_b=se_b)


def _tell(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
