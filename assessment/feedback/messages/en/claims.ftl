# What each claim was decided on, with its numbers in words. The sentences state what was found
# and take no side, so that each is as true of a claim that fails as of one that holds.
claim-tradeoff-gradients-equal = Largest difference in any gradient: { NUM($observed) }.
claim-tradeoff-weights-equal-after-20-steps = After { NOUN($steps, "training-step") } the largest difference in any weight is { NUM($observed) }; { $losses_equal ->
    [yes] every loss is the same.
   *[other] not every loss is the same.
}
claim-tradeoff-peak-lower = Activation peak: { BYTES($expected) } without checkpoints, { BYTES($observed) } with them; together with parameters, gradients and optimizer state { BYTES($total_plain) } and { BYTES($total_checkpointed) }.
claim-tradeoff-peak-is-in-backward = With checkpoints { BYTES($expected) } are live at the end of the forward pass; the backward pass reaches { BYTES($observed) }.
claim-tradeoff-flops-higher = FLOPs of a step with checkpoints against the plain step: { RATIO($observed) }; the formula gives { RATIO($expected) }.
claim-tradeoff-dtypes-unchanged = Tensors made in the step: { COUNT($made_plain) } without checkpoints, { COUNT($made_checkpointed) } with them ({ $types }); of a type that the plain step does not have: { COUNT($observed) }.
claim-tradeoff-batch-unchanged = Examples in the batch: { COUNT($expected) }; seen by a block in each of { NOUN($calls, "call") }, replays included: { COUNT($observed) }.
claim-tradeoff-no-bytes-leave = Written to disk during the step: { EXACT($bytes_written) }; sockets opened: { COUNT($sockets_opened) }; transfers between processes: { COUNT($collectives) }.

claim-sqrt-n-plain-peak = At { NOUN($at, "layer") } the peak without checkpoints is { EXACT($observed) }; the formula gives { EXACT($expected) }.
claim-sqrt-n-sqrt-peak = At { NOUN($at, "layer") } the peak with square-root placement is { EXACT($observed) }; the formula gives { EXACT($expected) }.
claim-sqrt-n-peak-grows = From { COUNT($first) } to { NOUN($last, "layer") } the peak with checkpoints grows { TIMES($observed) }; the formula gives { TIMES($expected) }.
claim-sqrt-n-parameter-bytes-linear = From { COUNT($first) } to { NOUN($last, "layer") } the bytes of the parameters grow { TIMES($observed) }, to { BYTES($bytes) }.
claim-sqrt-n-segment-peak = Split into { NOUN($at, "segment") }, { NOUN($layers, "layer") } have a peak of { EXACT($observed) }; the formula gives { EXACT($expected) }.
claim-sqrt-n-both-are-positive = Stored at the end of the forward pass: { BYTES($observed) }, or { NOUN($activations_stored, "activation") }; FLOPs of the step: { RATIO($flop_ratio) }.

claim-dropout-rng-restored-equal = With the generator restored, the largest difference in any gradient is { NUM($observed) }.
claim-dropout-rng-wrong-mask-wrong-gradient = Without restoring the generator the gradients are off by { PERCENT($observed) }, the loss by { NUM($loss_difference) }.
claim-dropout-rng-any-batch-equal = With the generator restored, over all batch sizes tried ({ COUNT($places) }), the largest difference in any gradient is { NUM($observed) }.
claim-dropout-rng-weights-untouched = Weight tensors changed by forward and backward: { COUNT($observed) } of { COUNT($weights) }; their type: { $types }.
claim-dropout-rng-no-gradient-no-step = Without gradients an optimizer step moves a weight by { NUM($observed) } at most; with gradients by { NUM($moved_with_gradients) }.

claim-selective-stored-formula = { NOUN($layers, "block") }, the first input included, store { EXACT($observed) }; the published formula gives { EXACT($expected) }.
claim-selective-core-frees = Replaying the core of attention frees { EXACT($observed) } in each block; the formula gives { EXACT($expected) }.
claim-selective-replayed-share = FLOPs of a step that replays the core of attention against the plain step: { RATIO($observed) }; the formula gives { RATIO($expected) }.
claim-selective-flops-not-fewer = FLOPs over all policies against the plain step: at least { RATIO($observed) } ({ WORD($lowest, "arm") }), at most { RATIO($highest_ratio) } ({ WORD($highest, "arm") }).
claim-selective-input-layer-saves-nothing = Stored bytes freed by replaying the input layer: { EXACT($observed) }.
claim-selective-loss-equal = Largest difference of the loss between any policy ({ COUNT($policies) } tried) and the plain step: { NUM($observed) }.
claim-selective-outputs-equal = Largest difference of an output between any policy ({ COUNT($policies) } tried) and the plain step: { NUM($observed) }.

claim-saved-tensors-read-only-by-backward = Reads of the stored activations: { COUNT($observed) } before the backward pass, { COUNT($reads_in_backward) } by it.
claim-saved-tensors-stored-bytes = At the end of the forward pass { EXACT($observed) } of activations are stored; the formula gives { EXACT($expected) }.
claim-saved-tensors-output-without-storage = In inference mode { EXACT($observed) } are stored; { $output_equal ->
    [yes] the output is the same to the last bit.
   *[other] the output is another one.
}
claim-saved-tensors-inference-has-no-gradient = Parameters that got a gradient in inference mode: { COUNT($observed) }; backward { $raised ->
    [yes] raises an error.
   *[other] raises no error.
}
claim-saved-tensors-parameters-unchanged = Bytes of the parameters: { BYTES($parameters) } before activations are stored, { RATIO($observed) } after; the activations come beside them: { BYTES($stored) }.
claim-saved-tensors-nothing-left-after-step = Left of the step's activations when the next batch is loaded: { EXACT($observed) }.
claim-saved-tensors-freeing-breaks-backward = Ways tried of touching a stored activation: { COUNT($expected) }. Backward raises an error: { COUNT($raised) }; the gradient is wrong in silence: { COUNT($silently_wrong) }.
claim-saved-tensors-no-backward-no-update = Parameters without a gradient: { COUNT($without_gradient) } of { COUNT($parameters) }; largest change of a weight by the optimizer step: { NUM($observed) }.

claim-replay-forward-runs-again = Layer calls in one step: { COUNT($plain) } without checkpoints; with them { COUNT($in_forward) } in forward and { COUNT($in_backward) } in backward, { COUNT($observed) } in all.
claim-replay-every-parameter-has-a-gradient = Parameters whose gradient is missing or different: { COUNT($observed) } of { COUNT($parameters) }.
claim-replay-weights-intact = Weight tensors changed by forward and backward: { COUNT($observed) } of { COUNT($weights) }.
claim-replay-replay-needs-training = Replayed calls: { COUNT($observed) } without gradients, { COUNT($training_replays) } in training.

claim-which-api-checkpoint-lowers = Stored activations: { BYTES($expected) } without torch.utils.checkpoint, { BYTES($observed) } with it; peak: { BYTES($peak_plain) } and { BYTES($peak_checkpointed) }.
claim-which-api-optimizer-leaves-activations = With SGD the stored activations change by { EXACT($observed) }; the optimizer state is { BYTES($state_sgd) }, against { BYTES($state_adamw) } with AdamW.
claim-which-api-dropout-adds-bytes = Stored activations: { BYTES($expected) } without Dropout layers, { BYTES($observed) } with them.
claim-which-api-allocated-unchanged = Emptying the cache frees { EXACT($observed) } of { BYTES($allocated) } allocated, and { BYTES($reserved_freed) } that were only reserved.

claim-batchnorm-twice-statistics-move-twice = At momentum { NUM($at) } the running mean moves { TIMES($observed) } as far as without a checkpoint; the formula gives { TIMES($expected) }.

claim-optimizer-state-moment-bytes = { WORD($optimizer, "optimizer") } keeps { NUM($observed) } B of moments a parameter; expected: { NUM($expected) } B.
claim-optimizer-state-momentum-bytes = SGD with momentum keeps { NUM($observed) } B of moments a parameter with checkpoints, { NUM($plain) } B without them.
claim-optimizer-state-state-linear-in-depth = From { COUNT($first) } to { NOUN($last, "layer") } the optimizer state grows { TIMES($observed) }, to { BYTES($bytes) }.
claim-optimizer-state-state-equal-in-both-arms = Optimizer state without checkpoints: { BYTES($moments) }; largest difference with them: { EXACT($observed) }.
claim-optimizer-state-state-types-equal = Optimizer state a parameter: { NUM($expected) } B without checkpoints ({ $types_plain }), { NUM($observed) } B with them ({ $types_checkpointed }).
claim-optimizer-state-steps-run-and-weights-equal = After { NOUN($steps, "training-step") } the largest difference in any weight is { NUM($observed) }; { $losses_equal ->
    [yes] every loss is the same.
   *[other] not every loss is the same.
}

claim-offload-resident-falls = Of { BYTES($stored) } of stored activations { BYTES($resident) } stay in memory: { PERCENT($observed) } less.
claim-offload-flops-equal = FLOPs of a step: { FLOPS($expected) } without offload, { FLOPS($observed) } with it.
claim-offload-gradients-equal = Largest difference in any gradient: { NUM($observed) }.
claim-offload-stored-proportional-to-batch = At a batch of { COUNT($at) } the stored activations take { EXACT($observed) }; in proportion to the smallest batch it is { EXACT($expected) }.
claim-offload-norm-share-is-small = Layer norms hold { PERCENT($observed) } of what a GPT block stores; the formula gives { PERCENT($expected) }. Leaving them out changes the output by { PERCENT($output_change) }.

claim-overhead-flop-ratio-varies = FLOPs of a step with checkpoints, over { COUNT($cells) } combinations: from { RATIO($least) } ({ CELL($least_cell) }) to { RATIO($most) } ({ CELL($most_cell) }).
claim-overhead-time-ratios-differ = Time of a step with checkpoints, 95% intervals: { CELL($low_cell) } { TIMES($low_from) } to { TIMES($low_to) }; { CELL($high_cell) } { TIMES($high_from) } to { TIMES($high_to) }.
claim-overhead-dataset-length-irrelevant = With { COUNT($examples_few) } and with { NOUN($examples_many, "example") } a step stores { EXACT($stored_few) } and { EXACT($stored_many) }, at { FLOPS($flops_few) } and { FLOPS($flops_many) }.
claim-overhead-classes-add-bytes = Stored: { BYTES($expected) } with { NOUN($classes_few, "class") }, { BYTES($observed) } with { NOUN($classes_many, "class") }.

claim-placement-bisection-peak = At { NOUN($at, "layer") } the peak with nested checkpoints is { EXACT($observed) }; the formula gives { EXACT($expected) }.
claim-placement-never-better-than-exhaustive = Peak of the plan against the lowest of { NOUN($placements, "placement") } tried: from { RATIO($observed) } to { RATIO($largest_ratio) }.

claim-combine-sharded-half = Each of { NOUN($ranks, "process") } holds { BYTES($states_sharded) } of the { BYTES($states_whole) } of parameters, gradients and optimizer state: { PERCENT($observed) }.
claim-combine-collective-bytes-equal = Bytes handed from process to process in a step: { EXACT($expected) } without checkpoints, { EXACT($observed) } with them.
claim-combine-stored-lower = Stored activations with sharding and bf16: { BYTES($expected) } without checkpoints, { BYTES($observed) } with them.

claim-noise-floor = Two plain runs differ by { NUM($noise_floor) }.
claim-undecided-simulated = Not decided: in a simulation tensors have shapes and no values.
claim-undecided-kernel_keeps_no_count = Not decided: this machine keeps no count of written bytes.
claim-undecided-driver_writes_too = Not decided: on a card the driver writes as well, so the count of the process says nothing.
claim-undecided-clock_stood_still = Not decided: the clock of this machine stood still.
