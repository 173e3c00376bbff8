# Words for the identifiers of a report: its arms, the axes of its sweeps.
arm-plain = without checkpoints
arm-plain-again = without checkpoints, again
arm-checkpointed = with checkpoints
arm-not-restored = with checkpoints, generator not restored
arm-fused-plain = fused attention, without checkpoints
arm-fused-checkpointed = fused attention, with checkpoints
arm-parameters = parameters

axis-layers = layers
