# One story an experiment; every number comes from its report.
narrative-generic = { $num_claims ->
    [one] { COUNT($num_claims) } claim was checked on real training steps; none failed.
   *[other] { COUNT($num_claims) } claims were checked on real training steps; none failed.
}
narrative-mixed = { COUNT($num_holding) } of { COUNT($num_claims) } claims hold in this run; not confirmed: { COUNT($num_failing) }. The list says which.
narrative-time = Time of a step: { TIMES($time_ratio) } ({ PERCENT($time_confidence, decimals: 0) } interval from { TIMES($time_low) } to { TIMES($time_high) }).

narrative-tradeoff = With checkpoints the activation peak fell from { BYTES($peak_plain) } to { BYTES($peak_checkpointed) }, with all model states from { BYTES($total_plain) } to { BYTES($total_checkpointed) }. The price is computation: FLOPs { RATIO($flop_ratio) }. Nothing else was given up: the largest difference of the gradients is { NUM($gradients_equal_observed) }, of the weights after { COUNT($weights_equal_after_20_steps_steps) } training steps { NUM($weights_equal_after_20_steps_observed) }.
narrative-tradeoff-bytes = With checkpoints the activation peak fell from { BYTES($peak_plain) } to { BYTES($peak_checkpointed) }. The price is computation: FLOPs { RATIO($flop_ratio) }.
narrative-sqrt-n = From { COUNT($first_depth) } to { COUNT($last_depth) } layers the peak without checkpoints grew { TIMES($plain_growth) }, with about √N checkpoints only { TIMES($growth) }: at { COUNT($last_depth) } layers { BYTES($last_peak) } instead of { BYTES($last_plain_peak) }. Every peak equals its formula to the byte. It is neither constant nor free: at { COUNT($layers) } layers the FLOPs of a step are { RATIO($flop_ratio) }.
narrative-dropout-rng = With the generator restored, replay drew the same dropout masks: the gradients differ from the plain ones by { NUM($restored_difference) }. Without it they are wrong by { PERCENT($wrong_relative_error) }, and nothing gives it away: { $losses_equal ->
    [yes] the loss is the same and no error is raised.
   *[other] no error is raised.
}
narrative-selective = Replaying only the core of attention left { BYTES($stored_core) } instead of { BYTES($stored_plain) } stored for the backward pass ({ PERCENT($core_share) } less), for FLOPs { RATIO($core_flop_ratio) }. Replaying every block leaves { BYTES($stored_full) }, for FLOPs { RATIO($full_flop_ratio) }. The outputs are the same under every policy: largest difference { NUM($outputs_equal_observed) }. With fused attention there is little left to select: { BYTES($fused_stored) } without replay, { BYTES($fused_core_stored) } with it.
narrative-selective-bytes = Replaying only the core of attention leaves { BYTES($stored_core) } instead of { BYTES($stored_plain) } stored for the backward pass ({ PERCENT($core_share) } less), for FLOPs { RATIO($core_flop_ratio) }. Replaying every block leaves { BYTES($stored_full) }, for FLOPs { RATIO($full_flop_ratio) }.
