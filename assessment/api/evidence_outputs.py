"""What feedback and evidence look like, for the description only; see `outputs`."""

from rest_framework import serializers as s

from assessment.api.outputs import (
    ChoiceOutput,
    ItemOutput,
    QuestionOutput,
    SessionOutput,
    Shape,
    TextOutput,
)


class PointOutput(Shape):
    x = s.FloatField()
    observed = s.FloatField(allow_null=True)
    expected = s.FloatField(allow_null=True)


class PredictsOutput(Shape):
    text = TextOutput(allow_null=True)
    value = s.FloatField(allow_null=True)


class DisplayOutput(Shape):
    """Numbers and words as the language of the feedback writes them."""

    observed = s.CharField(allow_null=True)
    expected = s.CharField(allow_null=True)
    predicts = s.CharField(allow_null=True)
    relation = s.CharField(allow_null=True)
    verdict = s.CharField(allow_null=True)


class ClaimOutput(Shape):
    """What the experiment says about one belief; `observed` is null until it has run."""

    id = s.CharField()
    about_choice = s.BooleanField(help_text="True when it answers the option that was chosen.")
    grade = s.ChoiceField(choices=["direct", "partial", "text"], allow_null=True)
    text = TextOutput(allow_null=True)
    predicts = PredictsOutput(allow_null=True)
    observed = s.FloatField(allow_null=True)
    expected = s.FloatField(allow_null=True)
    relation = s.CharField(allow_null=True)
    tolerance = s.FloatField(allow_null=True)
    unit = s.CharField(allow_null=True)
    verdict = s.ChoiceField(choices=["holds", "fails", "undecided"], allow_null=True)
    noise_floor = s.FloatField(allow_null=True)
    points = PointOutput(many=True)
    facts = s.DictField(child=s.JSONField())
    told = TextOutput(allow_null=True, help_text="What was found, its numbers in words.")
    display = DisplayOutput()


class TimelineOutput(Shape):
    op = s.ListField(child=s.IntegerField())
    live = s.ListField(child=s.IntegerField())
    backward_op = s.IntegerField(allow_null=True)


class MemoryArmOutput(Shape):
    """Bytes of one arm; null means unknown, and `unknown` says why."""

    name = s.CharField()
    label = s.CharField()  # type: ignore[assignment]  # a member, not the field's label
    stored = s.IntegerField(allow_null=True)
    peak = s.IntegerField(allow_null=True)
    total_peak = s.IntegerField(allow_null=True)
    allocator_peak = s.IntegerField(allow_null=True)
    parameters = s.IntegerField(allow_null=True)
    gradients = s.IntegerField(allow_null=True)
    optimizer_state = s.IntegerField(allow_null=True)
    timeline = TimelineOutput(allow_null=True)
    unknown = s.DictField(child=s.CharField())


class MemoryOutput(Shape):
    unit = s.ChoiceField(choices=["byte"])
    arms = MemoryArmOutput(many=True)


class FlopArmOutput(Shape):
    name = s.CharField()
    total = s.IntegerField(allow_null=True)
    unknown = s.CharField(allow_null=True)


class FlopsOutput(Shape):
    unit = s.ChoiceField(choices=["flop"])
    arms = FlopArmOutput(many=True)


class TimeArmOutput(Shape):
    name = s.CharField()
    samples = s.ListField(child=s.FloatField())
    median = s.FloatField(allow_null=True)


class TimingOutput(Shape):
    unit = s.ChoiceField(choices=["s"], required=False)
    clock = s.CharField()
    arms = TimeArmOutput(many=True)
    ratio = s.FloatField(allow_null=True)
    ratio_ci95 = s.ListField(child=s.FloatField(), allow_null=True)
    unknown = s.CharField(allow_null=True)


class EnvironmentOutput(Shape):
    device = s.CharField()
    device_name = s.CharField()
    torch = s.CharField()
    python = s.CharField()
    threads = s.IntegerField()
    instruction_set = s.CharField()
    load_average = s.FloatField(allow_null=True)


class ProvenanceOutput(Shape):
    """What it takes to measure the same again."""

    code_digest = s.CharField()
    torch_digest = s.CharField()
    parameters = s.DictField(child=s.JSONField())
    seed = s.IntegerField()
    gradient_digest = s.CharField(allow_null=True)
    backend = s.CharField()
    passes = s.ListField(child=s.CharField())
    command = s.CharField()


class TableOutput(Shape):
    """Rows with stable identifiers, and the same in the language of the feedback."""

    name = s.CharField()
    columns = s.ListField(child=s.CharField())
    rows = s.ListField(child=s.ListField(child=s.JSONField(allow_null=True)))
    title = s.CharField()
    headings = s.ListField(child=s.CharField())
    display = s.ListField(child=s.ListField(child=s.CharField(allow_null=True)))


class TimesOutput(Shape):
    requested_at = s.DateTimeField(allow_null=True)
    sent_at = s.DateTimeField(allow_null=True)
    started_at = s.DateTimeField(allow_null=True)
    finished_at = s.DateTimeField(allow_null=True)


class RangeOutput(Shape):
    """A parameter that a what-if may change."""

    name = s.CharField()
    label = TextOutput(allow_null=True)  # type: ignore[assignment]  # a member, not the field's label
    kind = s.ChoiceField(choices=["int", "float", "choice"])
    value = s.JSONField()
    minimum = s.FloatField(allow_null=True)
    maximum = s.FloatField(allow_null=True)
    choices = s.ListField(child=s.CharField())
    unit = s.CharField()


class WhatIfOutput(Shape):
    left = s.IntegerField(help_text="Tries that are left today.")
    parameters = RangeOutput(many=True)


class DemonstrationOutput(Shape):
    """The evidence for one answer: measured, or honest about why there is none."""

    id = s.UUIDField()
    state = s.ChoiceField(choices=["waiting", "measured", "simulated", "failed", "not_run"])
    kind = s.ChoiceField(choices=["refute", "support", "what_if"])
    reason = s.CharField(allow_null=True)
    delayed = s.BooleanField()
    reused_from = s.DateTimeField(allow_null=True)
    queue_position = s.IntegerField(allow_null=True)
    attempt = s.IntegerField(allow_null=True)
    times = TimesOutput()
    message = TextOutput()
    experiment = s.CharField(allow_null=True)
    parameters = s.DictField(child=s.JSONField(), allow_null=True)
    claims = ClaimOutput(many=True)
    refutes_choice = s.BooleanField(allow_null=True)
    links = s.DictField(child=s.CharField())
    narrative = TextOutput(allow_null=True)
    memory = MemoryOutput(allow_null=True)
    flops = FlopsOutput(allow_null=True)
    timing = TimingOutput(allow_null=True)
    scaling = s.DictField(child=s.JSONField(), allow_null=True)
    tables = TableOutput(many=True)
    partial = s.BooleanField()  # type: ignore[assignment]  # a member, not the option
    environment = EnvironmentOutput(allow_null=True)
    provenance = ProvenanceOutput(allow_null=True)
    figures = s.DictField(child=s.CharField(), help_text="Signed links, by name.")
    figure_alts = s.DictField(child=TextOutput())
    what_if = WhatIfOutput(required=False)


class MisconceptionOutput(Shape):
    slug = s.CharField()
    text = TextOutput()


class DetailOutput(Shape):
    """One option of a multiple response that was chosen or should have been."""

    option = s.UUIDField()
    chosen = s.BooleanField()
    correct = s.BooleanField()
    explanation = TextOutput(allow_null=True)
    misconception = MisconceptionOutput(allow_null=True)


class NumberOutput(Shape):
    value = s.FloatField()
    unit = s.CharField()
    display = s.CharField()


class NumericOutput(Shape):
    raw = s.CharField(allow_null=True)
    understood = NumberOutput(allow_null=True)
    correct = NumberOutput(allow_null=True)


class HeldPredictionOutput(Shape):
    """What was predicted, beside what was measured."""

    quantity = s.CharField()
    text = TextOutput()
    choices = ChoiceOutput(many=True)
    choice = s.CharField(allow_null=True)
    measured_choice = s.CharField(allow_null=True)
    measured = s.FloatField(allow_null=True)
    display = s.CharField(allow_null=True)
    was_right = s.BooleanField(allow_null=True)


class EndOutput(Shape):
    """Why a session is over."""

    reason = s.CharField()
    message = TextOutput(allow_null=True)


class FeedbackOutput(Shape):
    """Feedback of one item; `correct` is null where nothing was answered."""

    correct = s.BooleanField(allow_null=True)
    score = s.FloatField()
    max_score = s.FloatField()
    correct_options = s.ListField(child=s.UUIDField())
    chosen_options = s.ListField(child=s.UUIDField())
    explanation = TextOutput(allow_null=True)
    key_explanation = TextOutput(allow_null=True)
    misconception = MisconceptionOutput(allow_null=True)
    details = DetailOutput(many=True)
    numeric = NumericOutput(allow_null=True)
    demonstration = DemonstrationOutput(allow_null=True)
    certainty = s.IntegerField(allow_null=True, required=False)
    prediction = HeldPredictionOutput(allow_null=True, required=False)


class RespondedOutput(Shape):
    """What an answer is told: all at once, or only as much as the activity lets out now."""

    recorded = s.BooleanField(required=False, help_text="True where the feedback comes later.")
    prediction = QuestionOutput(required=False)
    score = s.FloatField(required=False)
    max_score = s.FloatField(required=False)
    feedback = FeedbackOutput(required=False)
    next = ItemOutput(required=False, allow_null=True)
    end = EndOutput(required=False, allow_null=True)


class PredictedOutput(RespondedOutput):
    """The reply to a prediction carries the feedback."""


class FeedbackEntryOutput(Shape):
    administration = s.UUIDField()
    position = s.IntegerField()
    answered = s.BooleanField()
    item = ItemOutput()
    feedback = FeedbackOutput(allow_null=True)


class ResultOutput(Shape):
    score = s.FloatField()
    max_score = s.FloatField()
    answered = s.IntegerField()
    num_items = s.IntegerField()


class IntervalOutput(Shape):
    """Whole items that somebody who answers like this would get right, 95 %."""

    low = s.IntegerField()
    high = s.IntegerField()
    num_items = s.IntegerField()
    place = s.ChoiceField(choices=["inside", "at_or_below", "at_or_above"])
    text = TextOutput()


class ConceptOutput(Shape):
    concept = s.CharField()
    name = TextOutput()
    num_answers = s.IntegerField()
    state = s.ChoiceField(choices=["not_tested", "likely", "unlikely", "open"])
    text = TextOutput()
    probability = s.FloatField()
    probability_interval = s.ListField(child=s.FloatField(), min_length=2, max_length=2)


class BeliefOutput(Shape):
    slug = s.CharField()
    text = TextOutput()
    state = s.ChoiceField(choices=["chosen_once", "chosen_again", "later_right", "not_tested"])
    state_text = TextOutput()
    num_tested = s.IntegerField()
    num_chosen = s.IntegerField()


class OutcomeOutput(Shape):
    """What a finished session shows; `provisional` says so while difficulties are guesses."""

    interval = IntervalOutput()
    provisional = TextOutput(allow_null=True)
    concepts = ConceptOutput(many=True)
    misconceptions = BeliefOutput(many=True)


class SessionFeedbackOutput(Shape):
    revealed = s.BooleanField()
    result = ResultOutput(allow_null=True)
    outcome = OutcomeOutput(allow_null=True)
    items = FeedbackEntryOutput(many=True)


class FinishOutput(SessionFeedbackOutput):
    session = SessionOutput()


class ArmTraceOutput(Shape):
    """The events of one arm, column by column; bytes, over operator number."""

    name = s.CharField()
    op = s.ListField(child=s.IntegerField())
    delta = s.ListField(child=s.IntegerField())
    live = s.ListField(child=s.IntegerField())
    operator = s.ListField(child=s.CharField())
    category = s.ListField(child=s.CharField())
    phase = s.ListField(child=s.CharField())


class TraceOutput(Shape):
    """With `?format=perfetto` a Chrome trace instead: `traceEvents` and `otherData`."""

    experiment = s.CharField(required=False)
    experiment_version = s.IntegerField(required=False)
    state = s.ChoiceField(choices=["measured", "simulated"], required=False)
    device = s.CharField(required=False)
    digest = s.CharField(required=False)
    provenance = ProvenanceOutput(required=False)
    environment = EnvironmentOutput(required=False)
    timing = TimingOutput(required=False, allow_null=True)
    arms = ArmTraceOutput(many=True, required=False)
