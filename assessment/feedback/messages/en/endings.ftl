# Why a session is over.
end-finished = You finished the quiz.
end-time = The time is over. What you had answered counts.
end-expired = The time is over. What you had answered counts.
end-max-items = That was the last question of this test.
end-standard-error = Your answers are enough for a reliable estimate.
end-no-useful-item = No further question would tell more about what you know.
end-bank-exhausted = There are no more questions that fit. What you answered counts.
end-bank-empty = There are no questions here yet.
end-passed = Your answers are enough to decide: you passed.
end-not-passed = Your answers are enough to decide: you did not pass this time.
