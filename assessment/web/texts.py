"""Every text of the interface: a short name and its English, the msgid of the catalogues."""

from collections.abc import Mapping
from functools import lru_cache

from assessment.web.languages import get_catalogue

PAGE: Mapping[str, str] = {
    "tagline": "Quizzes that answer a wrong option with a measurement",
    "description": (
        "Questions on the memory of neural-network training. Pick a wrong option and the "
        "experiment that refutes it is run and shown."
    ),
    "lead": (
        "Does checkpointing trade accuracy for speed? Guess, and a real network is trained "
        "with and without it: two memory curves, every byte counted."
    ),
    "hero_plain": "without checkpoints: peak 31.0 MiB",
    "hero_saved": "with checkpoints: peak 9.26 MiB",
    "step_answer": "Answer and say how sure you are.",
    "step_run": "A wrong option asks for the experiment about that very option.",
    "step_see": (
        "See what your option predicts beside what was measured, then change the numbers "
        "and run it again."
    ),
    "start_quiz": "Start this quiz",
    "quiz_bg": "Gradient checkpointing",
    "quiz_bg_about": "8 questions: what is stored, what is computed again, and what it costs.",
    "quiz_wo": "Activation recomputation",
    "quiz_wo_about": (
        "8 questions: selective recomputation, exact replay, and what more computation cannot save."
    ),
    "all_ways": "All quizzes and forms, also an adaptive one",
    "for_builders": "For builders: the public API that this page uses",
    "guest_note": "No account: you take part as a guest of the demo course.",
    "skip": "Skip to the content",
    "language": "Language",
    "home": "Front page",
    "loading": "The questions are being fetched ...",
    "trouble_title": "This page did not finish loading",
    "trouble_text": (
        "Something on this page failed. Answers you have given are kept on this device and "
        "are sent once the page works again. Load the page again; if that does not help, "
        "use another browser."
    ),
    "reload": "Load the page again",
    "no_script_title": "This page needs JavaScript",
    "no_script_text": (
        "The questions and their evidence are fetched by a script. Allow JavaScript for "
        "this page and load it again."
    ),
}
# Shown by the templates.

CLIENT: Mapping[str, str] = {
    "title": "Quizzes on training memory",
    "choose_form": "How would you like to take it?",
    "choose_quiz": "Choose a quiz",
    "form_plain": "Explanation and evidence after each answer",
    "form_finish": "Everything after the last answer",
    "form_predictions": "Predict the measurement before you see it",
    "form_seed": "The original wording of the page",
    "form_adaptive": "Adaptive: each question follows from your answers",
    "questions": "Questions: %(n)s",
    "up_to_questions": "Questions: as many as needed",
    "first_language": "Questions in",
    "second_language": "otherwise in",
    "none": "no other",
    "translated": "translated: %(share)s",
    "start": "Start",
    "resume": "Continue where you stopped",
    "see_result": "See the result of attempt %(n)s",
    "question_of": "Question %(n)s of %(total)s",
    "question_n": "Question %(n)s",
    "until": "Open until %(time)s",
    "choose_one": "Choose one answer",
    "choose_many": "Choose every answer that is right",
    "put_in_order": "Put these in order, the first on top",
    "your_number": "Your number",
    "unit": "Unit",
    "move_up": "Move up: %(text)s",
    "move_down": "Move down: %(text)s",
    "moved": "Now in place %(n)s: %(text)s",
    "how_sure": "How sure are you? Your tap sends the answer.",
    "sure_1": "I am guessing",
    "sure_2": "Rather sure",
    "sure_3": "Sure",
    "choose_first": "Choose an answer first.",
    "number_first": "Write a number first.",
    "sending": "Sending ...",
    "other_language": "Shown in %(language)s",
    "flip": "Read this in another language",
    "right": "Right",
    "wrong": "Not right",
    "partly": "Partly right",
    "your_answer": "Your answer",
    "right_answer": "Right answer",
    "understood": "Understood as %(text)s",
    "belief": "The belief behind it",
    "why": "Explanation",
    "why_right": "Why the right answer is right",
    "show_evidence": "Show the measurement",
    "was_measured": "Measured",
    "being_measured": "is being measured now",
    "measured_value": "measured %(text)s",
    "expected_value": "expected %(text)s",
    "state_waiting": "waiting",
    "state_measured": "measured now",
    "state_reused": "measured earlier",
    "state_simulated": "simulated",
    "state_failed": "failed",
    "state_not_run": "not measured",
    "state_delayed": "delayed",
    "arrived": "The measurement has arrived.",
    "poll_failed": (
        "The measurement could not be fetched. Your answer and its score are safe; this "
        "page keeps asking."
    ),
    "try_now": "Try now",
    "figure_late": "The picture is being drawn ...",
    "figure_failed": (
        "The picture could not be fetched; the sentence and the table below hold its numbers."
    ),
    "explore": "Look closer, value by value",
    "explore_failed": "The interactive figure could not be fetched; the picture stays.",
    "cursor": "Place in the figure",
    "zoom_in": "Closer",
    "zoom_out": "Farther",
    "numbers": "The numbers of the picture",
    "arm": "Run",
    "peak": "Peak of activations",
    "stored": "Stored for backward",
    "total_peak": "Peak with model states",
    "flops": "FLOPs",
    "unknown": "unknown",
    "claims": "What the experiment checked",
    "about_choice": "about your answer",
    "partial_grade": "Answers your option in part",
    "observed": "Observed",
    "expected": "Expected",
    "story": "All that was measured",
    "figure_memory": "Memory over the operators of one step",
    "figure_scaling": "Growth with the theory line",
    "figure_pareto": "Memory against computation",
    "figure_stack": "What the memory is made of",
    "what_if": "Run it with other numbers",
    "left": "Runs left today: %(n)s",
    "run": "Run it",
    "what_if_result": "With your numbers",
    "how_measured": "How was this measured?",
    "device": "Device",
    "versions": "Versions",
    "seed": "Seed",
    "threads": "Threads",
    "passes": "Passes",
    "time_ratio": "Time, with 95% interval",
    "finished_at": "Measured at",
    "code_digest": "Digest of the code",
    "command": "Run it yourself",
    "trace": "Download the full trace",
    "trace_failed": "The trace could not be fetched. Try again in a moment.",
    "next": "Next question",
    "finish": "Finish and see the result",
    "predict": "Before you see it",
    "answer_kept": "Your answer is recorded.",
    "predict_send": "This is my prediction",
    "predict_skip": "Skip",
    "you_predicted": "You predicted",
    "recorded": "Recorded. Explanations come after the last answer.",
    "result": "Result",
    "so_far": "Your answers so far",
    "score_line": "%(score)s of %(max)s right",
    "answered_line": "Answered: %(n)s of %(total)s",
    "what_it_shows": "What it shows",
    "by_concept": "By concept",
    "num_answers": "Answers",
    "beliefs": "Beliefs that your answers touched",
    "not_tested_n": "Not tested in this session: %(n)s",
    "look_again": "Evidence to look at again",
    "all_answers": "All your answers",
    "not_answered": "Not answered",
    "print": "Print",
    "more": "More: look back, other device, all quizzes",
    "to_list": "All quizzes",
    "back_to_question": "Back to the question",
    "handoff": "Continue on another device",
    "handoff_text": "Open this link on the other device. It works once, until %(time)s.",
    "copy": "Copy the link",
    "copied": "Copied.",
    "copy_by_hand": "The link is marked: copy it by hand.",
    "handoff_failed": (
        "This link does not work any more: it works once and not for long. Make a new one "
        "on the first device."
    ),
    "offline": "You are offline. Answers are kept on this device and sent by themselves.",
    "unsent": "Answers waiting to be sent: %(n)s",
    "unavailable": (
        "The service does not answer right now. Your answer is kept here; the next try is "
        "in %(n)s s."
    ),
    "keep_open": "Do not close this page: this browser keeps nothing on its disk.",
    "sent_later": "Answers sent: %(n)s.",
    "refused_later": (
        "Not recorded, because they were answered before or the session is over: questions %(n)s."
    ),
    "kept_here": "Kept on this device; its feedback comes when it has been sent.",
    "conflict": (
        "This question was already answered differently, perhaps on another device. The "
        "first answer counts; this one was not recorded."
    ),
    "over": "This session is already finished; this answer was not recorded.",
    "refused": "The service did not take this answer: %(text)s",
    "token_over": (
        "Your sign-in has run out. Your answers are kept on this device. Open this page "
        "again from your course, or by a new link from the first device."
    ),
    "failed_load": "The service could not be reached. Nothing is lost.",
    "not_there": "This session is not on this device. Choose a quiz to begin.",
    "needs_network": "The next question needs the network. It comes by itself.",
    "waiting_answers": (
        "Your last answers are still on this device. The result comes when they have been sent."
    ),
    "closed": "This quiz is not open.",
    "busy": "Too many requests just now. Try again in a moment.",
    "quota": "No runs are left today.",
}
# Sent to the client with the page; %(name)s is filled in there.


@lru_cache(maxsize=8)
def translate_page(language: str) -> dict[str, str]:
    return _translate(PAGE, language)


@lru_cache(maxsize=8)
def translate_client(language: str) -> dict[str, str]:
    return _translate(CLIENT, language)


def _translate(texts: Mapping[str, str], language: str) -> dict[str, str]:
    catalogue = get_catalogue(language)
    return {name: catalogue.gettext(text) for name, text in texts.items()}
