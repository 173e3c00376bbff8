# What the learner reads beside a measurement: its state, its age, why there is none.
state-waiting = The measurement is being prepared.
state-waiting-queued = The measurement waits; in front of it: { COUNT($position) }.
state-running = The measurement is running.
state-delayed = No measuring machine can be reached right now. Your answer is stored and scored; the measurement will follow.
state-measured = Measured for this answer on a { $device }.
state-measured-what-if = Measured with your numbers on a { $device }.
state-reused = Measured { $age } on a { $device } and reused: code, numbers and versions are the same.
state-simulated = Simulated: shapes and lifetimes of all tensors are exact, but no memory was allocated.
state-failed = The measurement failed. { $why }
state-failed-partial = The measurement failed. { $why } What had been measured before is shown.
state-not_run = Nothing was measured. { $why }

age-seconds = less than a minute ago
age-minutes = { $number ->
    [one] { COUNT($number) } minute ago
   *[other] { COUNT($number) } minutes ago
}
age-hours = { $number ->
    [one] { COUNT($number) } hour ago
   *[other] { COUNT($number) } hours ago
}
age-days = { $number ->
    [one] { COUNT($number) } day ago
   *[other] { COUNT($number) } days ago
}
age-date = on { $date } (UTC)

device-cpu = CPU
device-cuda = GPU

reason-unknown = The reason is not known.
reason-out_of_memory = It needed more memory than a run is allowed.
reason-timeout = It took longer than a run is allowed.
reason-cpu_limit = It used more processor time than a run is allowed.
reason-killed = Its process was ended from outside.
reason-non_finite = A number in it was infinite or no number at all.
reason-report_too_large = Its report was too large.
reason-invalid_parameters = Its parameters were not allowed.
reason-unknown_experiment = The measuring machine does not know this experiment.
reason-unsupported_device = The measuring machine has no device for it.
reason-too_late = No measuring machine took it in time.
reason-invalid_setup = Its set-up cannot be replayed: the recomputed values have another shape than the stored ones.
reason-output_limit = It printed more than a run is allowed.
reason-crashed = Its process crashed.
reason-queue_deadline = No measuring machine took it before its deadline.
reason-worker_lost = The measuring machine was lost while it ran, each time it was tried.
reason-no_gpu_worker = It needs a CUDA device, and no machine with one is there.
reason-experiment_not_built = The experiment for this option does not exist yet.
reason-not_measurable = There is nothing in this option that a measurement could show; the explanation answers it.
reason-no_experiment = No experiment of ours measures this; the explanation answers it.
reason-needs_cuda = It needs a CUDA device, and none is connected.
reason-answered_right = Your answer is right. You can ask for the evidence.
reason-no_evidence = No experiment belongs to this question.

verdict-holds = holds
verdict-fails = does not hold
verdict-undecided = undecided

relation-equal = equal
relation-less = less
relation-greater = greater
relation-at_least = at least
relation-at_most = at most
relation-differs = different
relation-within = within the tolerance
