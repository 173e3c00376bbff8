# What a finished session shows: never a bare theta, always an interval.
outcome-inside = Somebody who answers as you did would get between { COUNT($low) } and { COUNT($high) } of the { COUNT($num_items) } questions of this quiz right.
outcome-at-or-below = Your answers lie at or below the easy end of this quiz: at most about { COUNT($high) } of { COUNT($num_items) } questions.
outcome-at-or-above = Your answers lie at or above the hard end of this quiz: at least about { COUNT($low) } of { COUNT($num_items) } questions.
outcome-provisional = How hard these questions are is still their authors' estimate; the interval is provisional.

mastery-not-tested = No question on it was asked.
mastery-likely = Your answers show it well.
mastery-unlikely = Worth another look.
mastery-open = Too few answers to tell.

belief-chosen-once = Chosen once
belief-chosen-again = Chosen again
belief-later-right = Later answered right
belief-not-chosen = Tested, not chosen
belief-not-tested = Not tested

concept-trade-off = Trade-off
concept-saved-tensors = Saved tensors
concept-placement = Placement
concept-overhead = Overhead
concept-selective = Selective recomputation
concept-offload = Offload
concept-randomness = Randomness
concept-optimizer-state = Optimizer state
concept-replay = Replay
concept-combination = Combining techniques
concept-api = API
concept-normalisation = Normalisation
concept-budget = Memory budget
concept-measuring = Measuring memory
