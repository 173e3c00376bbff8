"""The typed view of the stored JSON must not drift from the contract."""

import dataclasses
from typing import get_type_hints

import pytest

from assessment.feedback import measurements
from gpu_worker import contracts
from tests.feedback.measurements import as_stored, make_tradeoff

PAIRS = [
    (measurements.PointJson, contracts.Point),
    (measurements.ClaimJson, contracts.ClaimResult),
    (measurements.TimelineJson, contracts.Timeline),
    (measurements.MemoryArmJson, contracts.MemoryArm),
    (measurements.FlopArmJson, contracts.FlopArm),
    (measurements.TimeArmJson, contracts.TimeArm),
    (measurements.TimingJson, contracts.Timing),
    (measurements.SeriesJson, contracts.Series),
    (measurements.ScalingJson, contracts.Scaling),
    (measurements.TableJson, contracts.Table),
    (measurements.EnvironmentJson, contracts.Environment),
    (measurements.ProvenanceJson, contracts.Provenance),
    (measurements.MeasurementJson, contracts.Measurement),
]


@pytest.mark.parametrize(("seen", "said"), PAIRS)
def test_the_keys_are_the_fields_of_the_contract(seen: type, said: type) -> None:
    assert dataclasses.is_dataclass(said)
    fields = {field.name for field in dataclasses.fields(said)}
    assert set(get_type_hints(seen)) == fields


def test_only_refuted_claims_are_listed_as_failed() -> None:
    stored = as_stored(make_tradeoff())
    stored["claims"][0]["verdict"] = "fails"
    stored["claims"][1]["verdict"] = "undecided"
    found = measurements.failed_claims(measurements.read_measurement(stored))
    assert found == ["gradients-equal"]
