"""What evidence looks like, for the description only; see `outputs`."""

from rest_framework import serializers as s

from assessment.api.outputs import Shape, TextOutput


class PointOutput(Shape):
    """One place of a sweep."""

    x = s.FloatField(help_text="Where.")
    observed = s.FloatField(allow_null=True, help_text="What was seen there.")
    expected = s.FloatField(allow_null=True, help_text="What the claim says there.")


class PredictsOutput(Shape):
    """What would be seen if the option were right."""

    text = TextOutput(allow_null=True)
    value = s.FloatField(allow_null=True, help_text="Null where it is no number.")


class DisplayOutput(Shape):
    """Numbers and words as the language of the feedback writes them."""

    observed = s.CharField(allow_null=True, help_text="What was seen, with its unit.")
    expected = s.CharField(allow_null=True, help_text="What the claim says.")
    predicts = s.CharField(allow_null=True, help_text="What the option says.")
    relation = s.CharField(allow_null=True, help_text="How the two are held against each other.")
    verdict = s.CharField(allow_null=True, help_text="What came of it.")


class ClaimOutput(Shape):
    """What the experiment says about one belief; `observed` is null until it has run."""

    id = s.CharField(help_text="Stable name of the claim.")
    about_choice = s.BooleanField(help_text="True when it answers the option that was chosen.")
    grade = s.ChoiceField(
        choices=["direct", "partial", "text"],
        allow_null=True,
        help_text="`direct` answers the belief, `partial` a part of it, `text` in words alone.",
    )
    text = TextOutput(allow_null=True)
    predicts = PredictsOutput(allow_null=True)
    observed = s.FloatField(allow_null=True, help_text="In `unit`; null until it has run.")
    expected = s.FloatField(allow_null=True, help_text="In `unit`.")
    relation = s.CharField(
        allow_null=True,
        help_text="What observed must be to expected: `equal`, `less`, `greater`...",
    )
    tolerance = s.FloatField(allow_null=True, help_text="Within which `equal` holds, in `unit`.")
    unit = s.CharField(allow_null=True, help_text="`byte`, `flop`, `s`, `count` or `1`.")
    verdict = s.ChoiceField(
        choices=["holds", "fails", "undecided"],
        allow_null=True,
        help_text="`undecided` fails nothing.",
    )
    noise_floor = s.FloatField(
        allow_null=True, help_text="Difference of two plain runs, where floats are compared."
    )
    points = PointOutput(many=True)
    facts = s.DictField(child=s.JSONField(), help_text="Further numbers of the claim.")
    told = TextOutput(allow_null=True, help_text="What was found, its numbers in words.")
    display = DisplayOutput()


class TimelineOutput(Shape):
    """Live bytes over operator number: a traced pass has no honest time."""

    op = s.ListField(child=s.IntegerField(), help_text="Number of the event.")
    live = s.ListField(child=s.IntegerField(), help_text="Bytes above the baseline after it.")
    backward_op = s.IntegerField(allow_null=True, help_text="First event of the backward phase.")


class MemoryArmOutput(Shape):
    """Bytes of one arm; null means unknown, and `unknown` says why."""

    name = s.CharField(help_text="Stable name of the arm.")
    label = s.CharField(help_text="Its name in the language of the feedback.")  # type: ignore[assignment]  # a member, not the field's label
    stored = s.IntegerField(
        allow_null=True, help_text="Alive at the end of the forward phase, above the baseline."
    )
    peak = s.IntegerField(allow_null=True, help_text="Highest above the baseline.")
    total_peak = s.IntegerField(
        allow_null=True, help_text="Highest with parameters, gradients and optimizer state."
    )
    allocator_peak = s.IntegerField(
        allow_null=True, help_text="The allocator's own view of the peak."
    )
    parameters = s.IntegerField(allow_null=True, help_text="Of the model.")
    gradients = s.IntegerField(allow_null=True, help_text="Of the parameters.")
    optimizer_state = s.IntegerField(allow_null=True, help_text="Of the optimizer.")
    timeline = TimelineOutput(allow_null=True)
    unknown = s.DictField(child=s.CharField(), help_text="Why a figure is null, by its name.")


class MemoryOutput(Shape):
    """Memory of each arm."""

    unit = s.ChoiceField(choices=["byte"], help_text="Always bytes.")
    arms = MemoryArmOutput(many=True)


class FlopArmOutput(Shape):
    """Floating-point operations of one training step."""

    name = s.CharField(help_text="Stable name of the arm.")
    total = s.IntegerField(allow_null=True, help_text="Null where they cannot be counted.")
    unknown = s.CharField(allow_null=True, help_text="Why total is null.")


class FlopsOutput(Shape):
    """Operations of each arm."""

    unit = s.ChoiceField(choices=["flop"], help_text="Always floating-point operations.")
    arms = FlopArmOutput(many=True)


class TimeArmOutput(Shape):
    """Time of one training step."""

    name = s.CharField(help_text="Stable name of the arm.")
    samples = s.ListField(child=s.FloatField(), help_text="Each measured step, in seconds.")
    median = s.FloatField(allow_null=True, help_text="Their median; null where nothing was timed.")


class TimingOutput(Shape):
    """Interleaved pairs of steps."""

    unit = s.ChoiceField(choices=["s"], required=False, help_text="Always seconds.")
    clock = s.CharField(help_text="`process` (CPU time), `wall` or `cuda`.")
    arms = TimeArmOutput(many=True)
    ratio = s.FloatField(allow_null=True, help_text="Median of the paired ratios.")
    ratio_ci95 = s.ListField(
        child=s.FloatField(), allow_null=True, help_text="Bootstrap interval of the ratio, 95 %."
    )
    unknown = s.CharField(allow_null=True, help_text="Why nothing was timed.")


class EnvironmentOutput(Shape):
    """Where it was measured."""

    device = s.CharField(help_text="`cpu`, `cuda` or `simulated`.")
    device_name = s.CharField(help_text="As the system calls it.")
    torch = s.CharField(help_text="Version of PyTorch.")
    python = s.CharField(help_text="Version of Python.")
    threads = s.IntegerField(help_text="Threads of one operator.")
    instruction_set = s.CharField(help_text="What the processor offers PyTorch.")
    load_average = s.FloatField(
        allow_null=True, help_text="Of the machine, one minute; null where it has none."
    )


class ProvenanceOutput(Shape):
    """What it takes to measure the same again."""

    code_digest = s.CharField(help_text="Of the worker's code.")
    torch_digest = s.CharField(help_text="Of the installed PyTorch.")
    parameters = s.DictField(child=s.JSONField(), help_text="All of the experiment's.")
    seed = s.IntegerField(help_text="Of all random numbers.")
    gradient_digest = s.CharField(
        allow_null=True, help_text="Of the gradients, where they were compared."
    )
    backend = s.CharField(help_text="How memory was measured.")
    passes = s.ListField(child=s.CharField(), help_text="The separate passes, in order.")
    command = s.CharField(help_text="Measures the same again.")


class TableOutput(Shape):
    """Rows with stable identifiers, and the same in the language of the feedback."""

    name = s.CharField(help_text="Stable name.")
    columns = s.ListField(child=s.CharField(), help_text="Stable names.")
    rows = s.ListField(
        child=s.ListField(child=s.JSONField(allow_null=True)), help_text="Plain values."
    )
    title = s.CharField(help_text="In words.")
    headings = s.ListField(child=s.CharField(), help_text="The columns in words.")
    display = s.ListField(
        child=s.ListField(child=s.CharField(allow_null=True)),
        help_text="The values as the language writes them.",
    )


class TimesOutput(Shape):
    """When the run passed which state, UTC."""

    requested_at = s.DateTimeField(allow_null=True, help_text="Asked for.")
    sent_at = s.DateTimeField(allow_null=True, help_text="Handed to the queue.")
    started_at = s.DateTimeField(allow_null=True, help_text="Begun by a worker.")
    finished_at = s.DateTimeField(allow_null=True, help_text="Ended.")


class RangeOutput(Shape):
    """A parameter that a what-if may change."""

    name = s.CharField(help_text="Send it as a member of `parameters`.")
    label = TextOutput(allow_null=True)  # type: ignore[assignment]  # a member, not the field's label
    kind = s.ChoiceField(
        choices=["int", "float", "choice"], help_text="`choice` takes one of `choices`."
    )
    value = s.JSONField(help_text="Of the run at hand.")
    minimum = s.FloatField(allow_null=True, help_text="Null: no bound.")
    maximum = s.FloatField(allow_null=True, help_text="Null: no bound.")
    choices = s.ListField(child=s.CharField(), help_text="Empty for numbers.")
    unit = s.CharField(help_text="`byte`, `s`, `count` or `1`.")


class WhatIfOutput(Shape):
    """What may be changed."""

    left = s.IntegerField(help_text="Tries that are left today.")
    parameters = RangeOutput(many=True)


class DemonstrationOutput(Shape):
    """The evidence for one answer: measured, or honest about why there is none."""

    id = s.UUIDField(help_text="Its id.")
    state = s.ChoiceField(
        choices=["waiting", "measured", "simulated", "failed", "not_run"],
        help_text="`waiting` until a worker has reported; `not_run` says why in `reason`.",
    )
    kind = s.ChoiceField(
        choices=["refute", "support", "what_if"],
        help_text="`refute` a wrong answer, `support` the key, `what_if` with changed numbers.",
    )
    reason = s.CharField(
        allow_null=True, help_text="Stable name of why nothing was measured; null otherwise."
    )
    delayed = s.BooleanField(help_text="True while no broker or worker is at hand: late, not lost.")
    reused_from = s.DateTimeField(
        allow_null=True, help_text="When it was measured, if before it was asked for."
    )
    queue_position = s.IntegerField(
        allow_null=True, help_text="Runs in front of it; null once it runs."
    )
    attempt = s.IntegerField(allow_null=True, help_text="1 to 3.")
    times = TimesOutput()
    message = TextOutput()
    experiment = s.CharField(allow_null=True, help_text="Slug of the experiment.")
    parameters = s.DictField(
        child=s.JSONField(), allow_null=True, help_text="It was asked for with these."
    )
    claims = ClaimOutput(many=True)
    refutes_choice = s.BooleanField(
        allow_null=True, help_text="Whether a claim about the choice held; null until it has run."
    )
    links = s.DictField(child=s.CharField(), help_text="`self` and `trace`.")
    narrative = TextOutput(allow_null=True)
    memory = MemoryOutput(allow_null=True)
    flops = FlopsOutput(allow_null=True)
    timing = TimingOutput(allow_null=True)
    scaling = s.DictField(
        child=s.JSONField(),
        allow_null=True,
        help_text="Series over a parameter, with the theory beside them.",
    )
    tables = TableOutput(many=True)
    partial = s.BooleanField(help_text="True where a run failed and left what it had measured.")  # type: ignore[assignment]  # a member, not the option
    environment = EnvironmentOutput(allow_null=True)
    provenance = ProvenanceOutput(allow_null=True)
    figures = s.DictField(child=s.CharField(), help_text="Signed links, by name.")
    figure_alts = s.DictField(child=TextOutput(), help_text="What each picture shows, in words.")
    what_if = WhatIfOutput(required=False)


class ArmTraceOutput(Shape):
    """The events of one arm, column by column; bytes, over operator number."""

    name = s.CharField(help_text="Stable name of the arm.")
    op = s.ListField(child=s.IntegerField(), help_text="Number of the event.")
    delta = s.ListField(child=s.IntegerField(), help_text="Bytes that it took or gave back.")
    live = s.ListField(child=s.IntegerField(), help_text="Bytes after it.")
    operator = s.ListField(child=s.CharField(), help_text="Name of the operator.")
    category = s.ListField(child=s.CharField(), help_text="What the bytes are.")
    phase = s.ListField(child=s.CharField(), help_text="Of the training step.")


class TraceOutput(Shape):
    """With `?format=perfetto` a Chrome trace instead: `traceEvents` and `otherData`."""

    experiment = s.CharField(required=False, help_text="Slug of the experiment.")
    experiment_version = s.IntegerField(required=False, help_text="Of the catalogue.")
    state = s.ChoiceField(
        choices=["measured", "simulated"],
        required=False,
        help_text="Measured, or simulated without allocating.",
    )
    device = s.CharField(required=False, help_text="Device class that was asked for.")
    digest = s.CharField(required=False, help_text="Content address of the run.")
    provenance = ProvenanceOutput(required=False)
    environment = EnvironmentOutput(required=False)
    timing = TimingOutput(required=False, allow_null=True)
    arms = ArmTraceOutput(
        many=True,
        required=False,
        help_text="Empty where the list of events was too large to travel.",
    )
