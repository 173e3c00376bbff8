# Words for the identifiers of a report: its arms, the axes of its sweeps.
arm-plain = without checkpoints
arm-plain-again = without checkpoints, again
arm-checkpointed = with checkpoints
arm-not-restored = with checkpoints, generator not restored
arm-fused-plain = fused attention, without checkpoints
arm-fused-checkpointed = fused attention, with checkpoints
arm-full = every block replayed
arm-alternate = every second block replayed
arm-first-block = first block replayed
arm-attention = attention replayed
arm-core = attention core replayed
arm-core-no-early-stop = attention core replayed, no early stop
arm-save-products = all matrix products kept
arm-save-weight-products = products with weights kept
arm-save-every-second-product = every second product kept
arm-fused-core = fused attention, core replayed
arm-input-plain = with an input layer, without checkpoints
arm-input-layer = input layer replayed
arm-sgd = SGD instead of AdamW
arm-dropout = with Dropout layers
arm-empty-cache = cache emptied after each layer
arm-parameters = parameters

axis-layers = layers
