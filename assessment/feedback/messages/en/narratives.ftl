# One story an experiment; every number comes from its report.
narrative-generic = { $num_claims ->
    [one] { COUNT($num_claims) } claim was checked { $is_simulated ->
        [yes] on simulated training steps
       *[no] on real training steps
    }; none failed.
   *[other] { COUNT($num_claims) } claims were checked { $is_simulated ->
        [yes] on simulated training steps
       *[no] on real training steps
    }; none failed.
}
narrative-mixed = Claims that hold in this run: { COUNT($num_holding) } of { COUNT($num_claims) }; not confirmed: { COUNT($num_failing) }. The list says which.
narrative-time = { $time_clock ->
    [process] CPU time of a step
    [wall] Elapsed time of a step
   *[cuda] GPU time of a step
}: { TIMES($time_ratio) } ({ PERCENT($time_confidence, decimals: 0) } interval from { TIMES($time_low) } to { TIMES($time_high) }).

# Further sentences, where a report has their numbers.
narrative-optimizer-state-more = Under a memory limit of { BYTES($budget_bytes) } AdamW ran out of memory in { COUNT($adamw_out_of_memory) } of 2 runs, one without checkpoints and one with them; SGD fitted in { COUNT($sgd_fits) } of 2.
narrative-replay-more = An exception to know: with use_reentrant=True and an input that needs no gradient, parameter tensors without a gradient: { COUNT($reentrant_missing_gradients) }. { $reentrant_warned ->
    [yes] Only a warning says so.
   *[no] Nothing says so.
}

narrative-tradeoff = With checkpoints the activation peak fell from { BYTES($peak_plain) } to { BYTES($peak_checkpointed) }; together with parameters, gradients and optimizer state it fell from { BYTES($total_plain) } to { BYTES($total_checkpointed) }. The price is computation: FLOPs { RATIO($flop_ratio) }. Nothing else was given up: the largest difference of the gradients is { NUM($gradients_equal_observed) }, of the weights after { NOUN($weights_equal_after_20_steps_steps, "training-step") } { NUM($weights_equal_after_20_steps_observed) }.
narrative-tradeoff-bytes = With checkpoints the activation peak fell from { BYTES($peak_plain) } to { BYTES($peak_checkpointed) }. The price is computation: FLOPs { RATIO($flop_ratio) }.
narrative-sqrt-n = From { COUNT($first_depth) } to { NOUN($last_depth, "layer") } the peak without checkpoints grew { TIMES($plain_growth) }, with about √N checkpoints only { TIMES($growth) }: at { NOUN($last_depth, "layer") } { BYTES($last_peak) } instead of { BYTES($last_plain_peak) }. Every peak equals its formula to the byte. It is neither constant nor free: at { NOUN($layers, "layer") } the FLOPs of a step are { RATIO($flop_ratio) }.
narrative-dropout-rng = With the generator restored, replay drew the same dropout masks: the largest difference of the gradients is { NUM($restored_difference) }. Without it they are wrong by { PERCENT($wrong_relative_error) }, and nothing gives it away: { $losses_equal ->
    [yes] the loss is the same and no error is raised.
   *[other] no error is raised.
}
narrative-selective = Replaying only the core of attention left { BYTES($stored_core) } instead of { BYTES($stored_plain) } stored for the backward pass ({ PERCENT($core_share) } less), for FLOPs { RATIO($core_flop_ratio) }. Replaying every block leaves { BYTES($stored_full) }, for FLOPs { RATIO($full_flop_ratio) }. The outputs are the same under every policy: largest difference { NUM($outputs_equal_observed) }. With fused attention there is little left to select: { BYTES($fused_stored) } without replay, { BYTES($fused_core_stored) } with it.
narrative-selective-bytes = Replaying only the core of attention leaves { BYTES($stored_core) } instead of { BYTES($stored_plain) } stored for the backward pass ({ PERCENT($core_share) } less), for FLOPs { RATIO($core_flop_ratio) }. Replaying every block leaves { BYTES($stored_full) }, for FLOPs { RATIO($full_flop_ratio) }.
narrative-saved-tensors = At the end of the forward pass { BYTES($stored_plain) } of activations were stored. Until the output was there nobody read them (reads: { COUNT($reads_before_backward) }); the backward pass read them { NOUN($reads_in_backward, "time") }, to compute gradients. Without storing anything the output was the same and no gradient existed. When they were freed or changed in place, backward raised an error in { COUNT($freeing_breaks_backward_raised) } of { COUNT($freeing_breaks_backward_expected) } cases; when they were overwritten behind autograd's back, it gave wrong gradients in silence ({ COUNT($freeing_breaks_backward_silently_wrong) }). After the step { EXACT($nothing_left_after_step_observed) } were left.
narrative-replay = Of { NOUN($layers, "layer") } in { NOUN($segments, "segment") }, each ran once in the forward pass ({ NOUN($calls_in_forward, "call") }); in the backward pass { NOUN($calls_in_backward, "call") } came again, { COUNT($calls) } in all instead of { COUNT($calls_plain) }. Every parameter has its gradient (missing or different: { COUNT($every_parameter_has_a_gradient_observed) }), every weight stayed as it was, and without training nothing is replayed.
narrative-which-api = torch.utils.checkpoint took what is stored from { BYTES($stored_plain) } to { BYTES($stored_checkpointed) }. torch.optim.SGD instead of AdamW left it at { BYTES($stored_sgd) }: it saves optimizer state ({ BYTES($state_adamw) } against { BYTES($state_sgd) }), not activations. torch.nn.Dropout raised it to { BYTES($stored_dropout) }.
narrative-batchnorm-twice = With a checkpoint the running mean moved { TIMES($ratio) } as far in one step: { NOUN($tracked_checkpointed, "update") } instead of { COUNT($tracked_plain) }, because replay runs BatchNorm again. The gradients do not show it (largest difference { NUM($gradient_difference) }). With the momentum set to { NUM($repaired_momentum) } the factor is { NUM($repaired_ratio) }: repaired.
narrative-offload = Offloaded to a file, { BYTES($stored_offloaded) } of activations stayed in memory instead of { BYTES($stored_plain) } ({ PERCENT($resident_saved) } less); { BYTES($bytes_written) } went out in { NOUN($num_writes, "write") }. Nothing was computed again (FLOPs { RATIO($flop_ratio) }) and the gradients are equal (largest difference { NUM($gradient_difference) }). Together with checkpoints the peak was { BYTES($peak_both) }, against { BYTES($peak_plain) } without either. Leaving the layer norms out of a GPT block would save only { PERCENT($norm_share) } of what it stores, and make another network of it. The file stayed in the machine's page cache: the time says nothing about a disk.
narrative-optimizer-state = AdamW keeps { BYTES($moments_plain) } of moments without checkpoints and { BYTES($moments_checkpointed) } with them: { NUM($moment_bytes_observed) } B a parameter either way. Checkpoints lower the activation peak only, from { BYTES($peak_plain) } to { BYTES($peak_checkpointed) }. They do not disturb the optimizer: after { NOUN($steps_run_and_weights_equal_steps, "step") } the largest difference of the weights is { NUM($steps_run_and_weights_equal_observed) }. From { COUNT($state_linear_in_depth_first) } to { NOUN($state_linear_in_depth_last, "layer") } the state grows { TIMES($state_linear_in_depth_observed) }, as the depth does.
narrative-overhead = There is no fixed percentage. Over { COUNT($num_cells) } combinations of network and placement the FLOPs went from { RATIO($least_flop_ratio) } ({ CELL($least_cell) }) to { RATIO($most_flop_ratio) } ({ CELL($most_cell) }), where they can be counted ({ COUNT($num_counted) }). { $time_clock ->
    [cuda] GPU time
   *[process] CPU time
}: { CELL($time_low_cell) } { TIMES($time_low_from) } to { TIMES($time_low_to) }, { CELL($time_high_cell) } { TIMES($time_high_from) } to { TIMES($time_high_to) }; { $time_ratios_differ_verdict ->
    [holds] these intervals lie apart.
   *[other] in this run they are too close to tell apart.
} The number of labelled examples changes nothing in a step (largest difference { NUM($dataset_length_irrelevant_observed) }); the number of classes does: from { COUNT($num_few_classes) } to { NOUN($num_many_classes, "class") } { BYTES($stored_many_classes) } instead of { BYTES($stored_few_classes) } are stored.
narrative-overhead-bytes = There is no fixed percentage. Over { COUNT($num_cells) } combinations of network and placement the FLOPs went from { RATIO($least_flop_ratio) } ({ CELL($least_cell) }) to { RATIO($most_flop_ratio) } ({ CELL($most_cell) }), where they can be counted ({ COUNT($num_counted) }). The number of labelled examples changes nothing in a step (largest difference { NUM($dataset_length_irrelevant_observed) }); the number of classes does: from { COUNT($num_few_classes) } to { NOUN($num_many_classes, "class") } { BYTES($stored_many_classes) } instead of { BYTES($stored_few_classes) } are stored.
narrative-placement = On a chain of { NOUN($layers, "layer") } the peak is { BYTES($peak_plain) } without checkpoints, { BYTES($peak_sqrt) } with { COUNT($segments) } equal segments (FLOPs { RATIO($flop_ratio_sqrt) }), { BYTES($peak_planned) } with a planned placement ({ RATIO($flop_ratio_planned) }) and { BYTES($peak_bisection) } with recursive bisection ({ RATIO($flop_ratio_bisection) }). { $is_optimal ->
    [yes] All { COUNT($placements) } single-level placements of the short chains (up to { NOUN($searched_layers, "layer") }) were tried as well: the plan was the best one each time.
   *[other] All { COUNT($placements) } single-level placements of the short chains (up to { NOUN($searched_layers, "layer") }) were tried as well: the plan needed at most { RATIO($largest_ratio) } of the lowest peak.
}
narrative-combine = Each technique lowers another cost. Sharded over { COUNT($ranks) } processes, each holds { BYTES($states_sharded) } of parameters, gradients and optimizer state instead of { BYTES($states_whole) } ({ PERCENT($share) }), and still { BYTES($stored_sharded) } of activations. Checkpoints take those to { BYTES($stored_sharded_checkpointed) }; with bf16 they go from { BYTES($stored_bf16) } to { BYTES($stored_bf16_checkpointed) }. The bytes between the processes are the same with and without checkpoints: { BYTES($collective_bytes) } a step. No time is shown: the processes share the cores of one machine.
