"""A plan of the real catalogue, and a broker that keeps what it is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from assessment.experiments.plans import RunPlan
from gpu_worker import catalog


@dataclass
class KeepingBroker:
    """Takes messages into lists. `is_down` makes it fail as the real one does."""

    sent: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)
    waiting: int = 0
    is_down: bool = False

    def publish(self, *, queue: str, body: Mapping[str, object]) -> None:
        if self.is_down:
            raise ConnectionError("the broker is away")
        self.sent.append((queue, body))

    def count_waiting(self, *, queue: str) -> int:
        return self.waiting


@pytest.fixture
def broker() -> KeepingBroker:
    return KeepingBroker()


@pytest.fixture
def plan() -> RunPlan:
    experiment = catalog.get_experiment("tradeoff")
    return RunPlan("tradeoff", experiment.version, catalog.resolve_parameters(experiment, {}))
