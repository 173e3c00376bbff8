# Titles, notes, axes and legends of the figures, their text alternatives and table headings.
unknown = unknown
unknown-not_measured_for_this_arm = unknown (not measured for this variant)
unknown-simulated = unknown (simulated: nothing was allocated)
unknown-profiler_saw_nothing = unknown (the profiler saw nothing)

figure-memory-title = Memory of one training step, operator by operator
figure-memory-note = Bytes above parameters, gradients and optimizer state. Dashed line: the backward pass begins. Dot: the peak.
figure-memory-alt = Live memory over the operators of one training step.
figure-memory-alt-arm = { $arm }: { BYTES($stored) } are stored at the end of the forward pass, the peak is { BYTES($peak) }.
figure-memory-alt-peak = { $arm }: the peak is { BYTES($peak) }.

figure-scaling-title = { $is_simulated ->
    [yes] Growth, simulated against the formula
   *[no] Growth, measured against the formula
}
figure-scaling-note = { $is_simulated ->
    [yes] Points: simulated.
   *[no] Points: measured.
} Lines: the formula.
figure-scaling-note-residual = Largest difference: { $residual }.
figure-scaling-note-points = { $is_simulated ->
    [yes] Points: simulated.
   *[no] Points: measured.
}
figure-scaling-alt = Growth on two logarithmic axes.
figure-scaling-alt-series = { $series }: from { $first_y } at { $x_name } { NUM($first_x) } to { $last_y } at { NUM($last_x) }.

figure-pareto-title = What each variant saves, and what it costs
figure-pareto-note = Further left: less computation. Further down: less memory.
figure-pareto-note-front = Grey line: variants that no other one beats.
figure-pareto-alt = Peak memory against computation.
figure-pareto-alt-arm = { $arm }: peak { BYTES($peak) }, FLOPs { RATIO($flop_ratio) }.
figure-pareto-alt-best = Beaten by no other: { $arms }.

figure-stack-title = What the memory of a step consists of
figure-stack-note = Activations: their peak above the other three.
figure-stack-alt = Memory of one training step, by kind.
figure-stack-alt-arm = { $arm }: parameters { BYTES($parameters) }, gradients { BYTES($gradients) }, optimizer state { BYTES($optimizer_state) }, activations at the peak { BYTES($activations) }.

axis-operator = operator number
axis-live-memory = live memory, { $unit }
axis-peak-memory = peak memory, { $unit }
axis-memory = memory, { $unit }
axis-flop-ratio = FLOPs, as a multiple of plain training
legend-exponent = { $series } (exponent { NUM($exponent, digits: 3) })

column-number = No.
column-arm = variant
column-stored = stored for backward
column-peak = peak
column-total-peak = peak with parameters, gradients and optimizer state
column-allocator-peak = peak of the allocator
column-measured = { $is_simulated ->
    [yes] simulated
   *[no] measured
}
column-formula = formula
column-flop-ratio = FLOPs, times plain
column-sum = sum

part-parameters = parameters
part-gradients = gradients
part-optimizer-state = optimizer state
part-activations = activations (peak)

unit-byte = bytes
unit-flop = FLOPs
unit-1 = ratio
unit-count = count
unit-s = seconds
