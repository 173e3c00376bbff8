# What each claim was decided on, with its numbers in words. The sentences state what was found
# and take no side, so that each is as true of a claim that fails as of one that holds.
claim-tradeoff-gradients-equal = Wuute gi gëna mag ci gradient yi: { NUM($observed) }.
claim-tradeoff-weights-equal-after-20-steps = Ginaaw { NOUN($steps, "training-step") }, wuute gi gëna mag ci poids yi { NUM($observed) } la; { $losses_equal ->
    [yes] loss yi yépp yem nañu.
   *[other] loss yi yépp yemuñu.
}
claim-tradeoff-peak-lower = Peak bu aktiwasioŋ yi: { BYTES($expected) } bu amul checkpoint, { BYTES($observed) } bu ko am; boo ci boole paramètre yi, gradient yi ak état bu optimiseur bi: { BYTES($total_plain) } ak { BYTES($total_checkpointed) }.
claim-tradeoff-peak-is-in-backward = Bu am checkpoint, { BYTES($expected) } a nekk ci mémoire bi bu forward jeexee; ci backward bi mu yegg ba { BYTES($observed) }.
claim-tradeoff-flops-higher = FLOPs yu benn jéego bu am checkpoint: { RATIO($observed) }, méngale ak bu ko amul; formule bi wax na { RATIO($expected) }.
claim-tradeoff-dtypes-unchanged = Tenseur yi jéego bi defar: { COUNT($made_plain) } bu amul checkpoint, { COUNT($made_checkpointed) } bu ko am ({ $types }); yi seen type amul ci jéego bu amul checkpoint: { COUNT($observed) }.
claim-tradeoff-batch-unchanged = Misaal yi ci lot (batch) bi: { COUNT($expected) }; yi blok bi gis ci woote bu nekk, boole ci xaymawaat gi ({ COUNT($calls) } lépp): { COUNT($observed) }.
claim-tradeoff-no-bytes-leave = Li ñu bind ci disque ci biir jéego bi: { EXACT($bytes_written) }; lëkkaloo réseau yi ñu ubbi: { COUNT($sockets_opened) }; yónnee diggante processus yi: { COUNT($collectives) }.

claim-sqrt-n-plain-peak = Ci { NOUN($at, "layer") }, peak bi { EXACT($observed) } la bu amul checkpoint; formule bi wax na { EXACT($expected) }.
claim-sqrt-n-sqrt-peak = Ci { NOUN($at, "layer") }, peak bi { EXACT($observed) } la bu ñu tegee checkpoint yi ci racine carrée; formule bi wax na { EXACT($expected) }.
claim-sqrt-n-peak-grows = Bu couche yi jógee ci { COUNT($first) } ba { COUNT($last) }, peak bu am checkpoint yokk na { TIMES($observed) }; formule bi wax na { TIMES($expected) }.
claim-sqrt-n-parameter-bytes-linear = Bu couche yi jógee ci { COUNT($first) } ba { COUNT($last) }, octet yi ci paramètre yi yokk nañu { TIMES($observed) }, ba { BYTES($bytes) }.
claim-sqrt-n-segment-peak = Bu ñu xaajee { NOUN($layers, "layer") } ci { NOUN($at, "segment") }, peak bi { EXACT($observed) } la; formule bi wax na { EXACT($expected) }.
claim-sqrt-n-both-are-positive = Li ñu denc bi forward jeexee: { BYTES($observed) }, maanaam { NOUN($activations_stored, "activation") }; FLOPs yu jéego bi: { RATIO($flop_ratio) }.

claim-dropout-rng-restored-equal = Bu générateur bi delloo fi mu nekkoon, wuute gi gëna mag ci gradient yi { NUM($observed) } la.
claim-dropout-rng-wrong-mask-wrong-gradient = Bu générateur bi delluwul fi mu nekkoon, gradient yi juum nañu ci { PERCENT($observed) }, loss bi ci { NUM($loss_difference) }.
claim-dropout-rng-any-batch-equal = Bu générateur bi delloo fi mu nekkoon, ci dayo lot (batch) yépp yi ñu jéem ({ COUNT($places) }), wuute gi gëna mag ci gradient yi { NUM($observed) } la.
claim-dropout-rng-weights-untouched = Tenseur poids yi forward ak backward soppi: { COUNT($observed) } ci { COUNT($weights) }; seen type: { $types }.
claim-dropout-rng-no-gradient-no-step = Bu amul gradient, jéego optimiseur bi toxal na poids { NUM($observed) } lu bari bari; bu ko am, { NUM($moved_with_gradients) }.

claim-selective-stored-formula = { NOUN($layers, "block") }, boole ci dugal bu njëkk bi, denc nañu { EXACT($observed) }; formule bi ñu siiwal wax na { EXACT($expected) }.
claim-selective-core-frees = Xaymawaat attention bi ci biir dafay yiwi { EXACT($observed) } ci blok bu nekk; formule bi wax na { EXACT($expected) }.
claim-selective-replayed-share = FLOPs yu jéego bu xaymawaat attention bi ci biir: { RATIO($observed) }, méngale ak bu amul checkpoint; formule bi wax na { RATIO($expected) }.
claim-selective-flops-not-fewer = FLOPs ci variante yépp, méngale ak bu amul checkpoint: lu néew néew { RATIO($observed) } ({ WORD($lowest, "arm") }), lu bari bari { RATIO($highest_ratio) } ({ WORD($highest, "arm") }).
claim-selective-input-layer-saves-nothing = Octet yi xaymawaat couche biy dugal di yiwi: { EXACT($observed) }.
claim-selective-loss-equal = Wuute gi gëna mag ci loss bi diggante variante yi ({ COUNT($policies) } lañu jéem) ak jéego bu amul checkpoint: { NUM($observed) }.
claim-selective-outputs-equal = Wuute gi gëna mag ci li ciy génn diggante variante yi ({ COUNT($policies) } lañu jéem) ak jéego bu amul checkpoint: { NUM($observed) }.

claim-saved-tensors-read-only-by-backward = Ñaata yoon lañu jàng aktiwasioŋ yi ñu denc: { COUNT($observed) } balaa backward bi, { COUNT($reads_in_backward) } ci backward bi.
claim-saved-tensors-stored-bytes = Bi forward jeexee, { EXACT($observed) } aktiwasioŋ lañu denc; formule bi wax na { EXACT($expected) }.
claim-saved-tensors-output-without-storage = Ci mode inference { EXACT($observed) } lañu denc; { $output_equal ->
    [yes] li ciy génn mooy benn ba ci bit bi mujj.
   *[other] li ciy génn dafa wuute.
}
claim-saved-tensors-inference-has-no-gradient = Paramètre yi am gradient ci mode inference: { COUNT($observed) }; backward bi { $raised ->
    [yes] génne na erreur.
   *[other] génnewul erreur.
}
claim-saved-tensors-parameters-unchanged = Octet yi paramètre yi yor: { BYTES($parameters) } balaa ñuy denc aktiwasioŋ yi, { RATIO($observed) } ginaaw bi; aktiwasioŋ yi ci seen wet: { BYTES($stored) }.
claim-saved-tensors-nothing-left-after-step = Li des ci aktiwasioŋ yu jéego bi bu ñuy yeb lot (batch) bi ci topp: { EXACT($observed) }.
claim-saved-tensors-freeing-breaks-backward = Anam yi ñu jéem ngir laal aktiwasioŋ bu ñu denc: { COUNT($expected) }. Backward bi génne na erreur: { COUNT($raised) }; gradient bi juum na te dara waxu ko: { COUNT($silently_wrong) }.
claim-saved-tensors-no-backward-no-update = Paramètre yi amul gradient: { COUNT($without_gradient) } ci { COUNT($parameters) }; li optimiseur bi gëna soppi ci benn poids: { NUM($observed) }.

claim-replay-forward-runs-again = Woote couche yi ci benn jéego: { COUNT($plain) } bu amul checkpoint; bu ko am { COUNT($in_forward) } ci forward ak { COUNT($in_backward) } ci backward, lépp { COUNT($observed) }.
claim-replay-every-parameter-has-a-gradient = Paramètre yi seen gradient ñàkk walla wuute: { COUNT($observed) } ci { COUNT($parameters) }.
claim-replay-weights-intact = Tenseur poids yi forward ak backward soppi: { COUNT($observed) } ci { COUNT($weights) }.
claim-replay-replay-needs-training = Woote yi ñu defaat: { COUNT($observed) } bu amul gradient, { COUNT($training_replays) } ci entraînement.

claim-which-api-checkpoint-lowers = Aktiwasioŋ yi ñu denc: { BYTES($expected) } bu amul torch.utils.checkpoint, { BYTES($observed) } bu ko am; peak bi: { BYTES($peak_plain) } ak { BYTES($peak_checkpointed) }.
claim-which-api-optimizer-leaves-activations = Ak SGD, aktiwasioŋ yi ñu denc soppiku nañu { EXACT($observed) }; état bu optimiseur bi { BYTES($state_sgd) } la, ak AdamW { BYTES($state_adamw) }.
claim-which-api-dropout-adds-bytes = Aktiwasioŋ yi ñu denc: { BYTES($expected) } bu amul couche Dropout, { BYTES($observed) } bu ko am.
claim-which-api-allocated-unchanged = Setal cache bi yiwi na { EXACT($observed) } ci { BYTES($allocated) } yi ñu jël, ak { BYTES($reserved_freed) } yi ñu tegoon rek.

claim-batchnorm-twice-statistics-move-twice = Bu momentum di { NUM($at) }, moyenne bi BatchNorm di topp toxu na { TIMES($observed) }, méngale ak jéego bu amul checkpoint; formule bi wax na { TIMES($expected) }.

claim-optimizer-state-moment-bytes = { WORD($optimizer, "optimizer") } denc na { NUM($observed) } B moment ci paramètre bu nekk; li ñu xaaroon: { NUM($expected) } B.
claim-optimizer-state-momentum-bytes = SGD ak momentum denc na { NUM($observed) } B moment ci paramètre bu nekk bu am checkpoint, { NUM($plain) } B bu ko amul.
claim-optimizer-state-state-linear-in-depth = Bu couche yi jógee ci { COUNT($first) } ba { COUNT($last) }, état bu optimiseur bi yokk na { TIMES($observed) }, ba { BYTES($bytes) }.
claim-optimizer-state-state-equal-in-both-arms = État bu optimiseur bi bu amul checkpoint: { BYTES($moments) }; wuute gi gëna mag bu ko am: { EXACT($observed) }.
claim-optimizer-state-state-types-equal = État bu optimiseur bi ci paramètre bu nekk: { NUM($expected) } B bu amul checkpoint ({ $types_plain }), { NUM($observed) } B bu ko am ({ $types_checkpointed }).
claim-optimizer-state-steps-run-and-weights-equal = Ginaaw { NOUN($steps, "training-step") }, wuute gi gëna mag ci poids yi { NUM($observed) } la; { $losses_equal ->
    [yes] loss yi yépp yem nañu.
   *[other] loss yi yépp yemuñu.
}

claim-offload-resident-falls = Ci { BYTES($stored) } aktiwasioŋ yi ñu denc, { BYTES($resident) } a des ci mémoire bi: wàññeeku na { PERCENT($observed) }.
claim-offload-flops-equal = FLOPs yu benn jéego: { FLOPS($expected) } bu ñu yebbiwul, { FLOPS($observed) } bu ñu yebbee.
claim-offload-gradients-equal = Wuute gi gëna mag ci gradient yi: { NUM($observed) }.
claim-offload-stored-proportional-to-batch = Bu lot (batch) bi di { COUNT($at) }, aktiwasioŋ yi ñu denc { EXACT($observed) } lañu; bu ñu toppee lot bi gëna ndaw, { EXACT($expected) } la.
claim-offload-norm-share-is-small = Couche normalisasioŋ yi yor nañu { PERCENT($observed) } ci li benn blok GPT di denc; formule bi wax na { PERCENT($expected) }. Bu ñu leen dindee, li ciy génn soppiku na { PERCENT($output_change) }.

claim-overhead-flop-ratio-varies = FLOPs yu jéego bu am checkpoint, ci { COUNT($cells) } boole: bu jóge ci { RATIO($least) } ({ CELL($least_cell) }) ba { RATIO($most) } ({ CELL($most_cell) }).
claim-overhead-time-ratios-differ = Diirub jéego bu am checkpoint, intervalle 95%: { CELL($low_cell) } { TIMES($low_from) } ba { TIMES($low_to) }; { CELL($high_cell) } { TIMES($high_from) } ba { TIMES($high_to) }.
claim-overhead-dataset-length-irrelevant = Ak { COUNT($examples_few) } ak { NOUN($examples_many, "example") }, benn jéego dafay denc { EXACT($stored_few) } ak { EXACT($stored_many) }, te jar { FLOPS($flops_few) } ak { FLOPS($flops_many) }.
claim-overhead-classes-add-bytes = Li ñu denc: { BYTES($expected) } ak { NOUN($classes_few, "class") }, { BYTES($observed) } ak { NOUN($classes_many, "class") }.

claim-placement-bisection-peak = Ci { NOUN($at, "layer") }, peak bi { EXACT($observed) } la bu checkpoint yi dugantee; formule bi wax na { EXACT($expected) }.
claim-placement-never-better-than-exhaustive = Jéem nañu { NOUN($placements, "placement") }; méngale ak peak bi gëna suufe, plan bi jar na { RATIO($observed) } ba { RATIO($largest_ratio) }.

claim-combine-sharded-half = Ci { NOUN($ranks, "process") }, ku nekk yor na { BYTES($states_sharded) } ci { BYTES($states_whole) } yu paramètre yi, gradient yi ak état bu optimiseur bi: { PERCENT($observed) }.
claim-combine-collective-bytes-equal = Octet yi processus yi di joqalante ci benn jéego: { EXACT($expected) } bu amul checkpoint, { EXACT($observed) } bu ko am.
claim-combine-stored-lower = Aktiwasioŋ yi ñu denc ak séddale ak bf16: { BYTES($expected) } bu amul checkpoint, { BYTES($observed) } bu ko am.

claim-noise-floor = Ñaari doxal yu amul checkpoint wuute nañu ci { NUM($noise_floor) }.
claim-undecided-simulated = Leeragul: ci simulation, tenseur yi am nañu forme waaye amuñu valeur.
claim-undecided-kernel_keeps_no_count = Leeragul: masin bii limul octet yi ñu bind.
claim-undecided-driver_writes_too = Leeragul: ak GPU, pilote bi itam dafay bind, kon limu processus bi waxul dara.
claim-undecided-clock_stood_still = Leeragul: waxtu bu masin bi dafa taxaw.
