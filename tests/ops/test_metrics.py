"""What /metrics tells of a service with several web processes."""

import urllib.request

from prometheus_client.parser import text_string_to_metric_families

from launcher.client import Client
from tests.harness import OPS_TOKEN, RunningStack

NUM_REQUESTS = 40


def count_looks_at_health(stack: RunningStack) -> float:
    request = urllib.request.Request(
        f"{stack.url}/metrics", headers={"Authorization": f"Bearer {OPS_TOKEN}"}
    )
    with urllib.request.urlopen(request, timeout=30) as reply:
        families = list(text_string_to_metric_families(reply.read().decode()))
    assert {"remat_outbox_age_seconds", "remat_live_runs"} <= {one.name for one in families}
    return sum(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == "django_http_requests_total_by_view_transport_method_total"
        and sample.labels["view"].endswith("HealthView")
    )


def test_requests_of_all_web_processes_are_counted(live_stack: RunningStack) -> None:
    """Whichever process answers: a process that told its own counts would tell about half."""
    before = count_looks_at_health(live_stack)
    for _ in range(NUM_REQUESTS):
        Client(live_stack.url).get("/healthz")
    counts = [count_looks_at_health(live_stack) for _ in range(10)]
    assert counts == [before + NUM_REQUESTS] * 10
