"""What feedback looks like, for the description only; see `outputs`."""

from rest_framework import serializers as s

from assessment.api.evidence_outputs import DemonstrationOutput
from assessment.api.outputs import (
    ChoiceOutput,
    ItemOutput,
    QuestionOutput,
    SessionOutput,
    Shape,
    TextOutput,
)


class MisconceptionOutput(Shape):
    """A belief that a wrong option stands for."""

    slug = s.CharField(help_text="Stable name.")
    text = TextOutput()


class DetailOutput(Shape):
    """One option of a multiple response that was chosen or should have been."""

    option = s.UUIDField(help_text="Its id.")
    chosen = s.BooleanField(help_text="Whether it was chosen.")
    correct = s.BooleanField(help_text="Whether it should have been.")
    explanation = TextOutput(allow_null=True)
    misconception = MisconceptionOutput(allow_null=True)


class NumberOutput(Shape):
    """A number with its unit."""

    value = s.FloatField(help_text="In `unit`.")
    unit = s.CharField(help_text="The item's own.")
    display = s.CharField(help_text="As the language writes it.")


class NumericOutput(Shape):
    """The number that was understood, and the right one."""

    raw = s.CharField(allow_null=True, help_text="As it was typed.")
    understood = NumberOutput(allow_null=True)
    correct = NumberOutput(allow_null=True)


class HeldPredictionOutput(Shape):
    """What was predicted, beside what was measured."""

    quantity = s.CharField(help_text="Stable name of what was asked about.")
    text = TextOutput()
    choices = ChoiceOutput(many=True)
    choice = s.CharField(allow_null=True, help_text="Null: skipped.")
    measured_choice = s.CharField(
        allow_null=True, help_text="The range that the measured value lies in."
    )
    measured = s.FloatField(allow_null=True, help_text="Null until it has run.")
    display = s.CharField(
        allow_null=True, help_text="The measured value as the language writes it."
    )
    was_right = s.BooleanField(allow_null=True, help_text="Null until it has run, and for a skip.")


class EndOutput(Shape):
    """Why a session is over."""

    reason = s.CharField(help_text="Stable name.")
    message = TextOutput(allow_null=True)


class ReferenceOutput(Shape):
    """A paper or a page of documentation."""

    id = s.CharField(help_text="arXiv:..., doi:... or an address without its scheme.")
    url = s.URLField(help_text="Where it can be read.")


class FeedbackOutput(Shape):
    """Feedback of one item; `correct` is null where nothing was answered."""

    correct = s.BooleanField(allow_null=True, help_text="Null where nothing was answered.")
    score = s.FloatField(help_text="Points earned.")
    max_score = s.FloatField(help_text="Points to earn.")
    correct_options = s.ListField(
        child=s.UUIDField(), help_text="Ids of the key; in the right order for an ordering item."
    )
    chosen_options = s.ListField(child=s.UUIDField(), help_text="Ids that were chosen.")
    explanation = TextOutput(allow_null=True)
    key_explanation = TextOutput(allow_null=True)
    misconception = MisconceptionOutput(allow_null=True)
    details = DetailOutput(many=True, help_text="Empty but for a multiple response.")
    numeric = NumericOutput(allow_null=True)
    references = ReferenceOutput(many=True, help_text="The works that the item stands on.")
    demonstration = DemonstrationOutput(allow_null=True)
    certainty = s.IntegerField(
        allow_null=True,
        required=False,
        help_text="1 guess, 2 rather sure, 3 sure; null where it was not told.",
    )
    prediction = HeldPredictionOutput(allow_null=True, required=False)


class RespondedOutput(Shape):
    """What an answer is told: all at once, or only as much as the activity lets out now."""

    recorded = s.BooleanField(required=False, help_text="True where the feedback comes later.")
    prediction = QuestionOutput(required=False)
    score = s.FloatField(required=False, help_text="Points earned.")
    max_score = s.FloatField(required=False, help_text="Points to earn.")
    feedback = FeedbackOutput(required=False)
    next = ItemOutput(required=False, allow_null=True)
    end = EndOutput(required=False, allow_null=True)


class PredictedOutput(RespondedOutput):
    """The reply to a prediction carries the feedback."""


class FeedbackEntryOutput(Shape):
    """One item of the session."""

    administration = s.UUIDField(help_text="Its id in this session.")
    position = s.IntegerField(help_text="Counted from 1.")
    answered = s.BooleanField(help_text="Whether it was answered.")
    item = ItemOutput()
    feedback = FeedbackOutput(allow_null=True)


class ResultOutput(Shape):
    """Points of the session."""

    score = s.FloatField(help_text="On items whose feedback is out.")
    max_score = s.FloatField(help_text="On all items given.")
    answered = s.IntegerField(help_text="Items answered.")
    num_items = s.IntegerField(help_text="Items given.")


class IntervalOutput(Shape):
    """Whole items that somebody who answers like this would get right, 95 %."""

    low = s.IntegerField(help_text="Lower end.")
    high = s.IntegerField(help_text="Upper end.")
    num_items = s.IntegerField(help_text="Of so many.")
    place = s.ChoiceField(
        choices=["inside", "at_or_below", "at_or_above"],
        help_text="Where the interval lies on the scale.",
    )
    text = TextOutput()


class ConceptOutput(Shape):
    """What the answers say of one idea."""

    concept = s.CharField(help_text="Stable name.")
    name = TextOutput()
    num_answers = s.IntegerField(help_text="Answers that speak of it.")
    state = s.ChoiceField(
        choices=["not_tested", "likely", "unlikely", "open"],
        help_text="`open`: the answers do not decide it.",
    )
    text = TextOutput()
    probability = s.FloatField(help_text="That the learner has the idea.")
    probability_interval = s.ListField(
        child=s.FloatField(), min_length=2, max_length=2, help_text="Its interval, 95 %."
    )


class BeliefOutput(Shape):
    """How a misconception was met in this session."""

    slug = s.CharField(help_text="Stable name.")
    text = TextOutput()
    state = s.ChoiceField(
        choices=["chosen_once", "chosen_again", "later_right", "not_tested"],
        help_text="One choice is not a held belief.",
    )
    state_text = TextOutput()
    num_tested = s.IntegerField(help_text="Items that could show it.")
    num_chosen = s.IntegerField(help_text="Times that it was chosen.")


class OutcomeOutput(Shape):
    """What a finished session shows; `provisional` says so while difficulties are guesses."""

    interval = IntervalOutput()
    provisional = TextOutput(allow_null=True)
    concepts = ConceptOutput(many=True)
    misconceptions = BeliefOutput(many=True)


class SessionFeedbackOutput(Shape):
    """The feedback of a session, as far as it is out."""

    revealed = s.BooleanField(help_text="False while all is kept for the end.")
    result = ResultOutput(allow_null=True)
    outcome = OutcomeOutput(allow_null=True)
    items = FeedbackEntryOutput(many=True)


class FinishOutput(SessionFeedbackOutput):
    """The ended session and its feedback."""

    session = SessionOutput()
