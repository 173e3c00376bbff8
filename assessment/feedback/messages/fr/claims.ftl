# What each claim was decided on, with its numbers in words. The sentences state what was found
# and take no side, so that each is as true of a claim that fails as of one that holds.
claim-tradeoff-gradients-equal = Plus grand écart entre gradients : { NUM($observed) }.
claim-tradeoff-weights-equal-after-20-steps = Après { NOUN($steps, "training-step") }, le plus grand écart entre poids est { NUM($observed) } ; { $losses_equal ->
    [yes] toutes les pertes sont les mêmes.
   *[other] les pertes ne sont pas toutes les mêmes.
}
claim-tradeoff-peak-lower = Pic des activations : { BYTES($expected) } sans points de reprise, { BYTES($observed) } avec ; paramètres, gradients et état de l'optimiseur compris, { BYTES($total_plain) } et { BYTES($total_checkpointed) }.
claim-tradeoff-peak-is-in-backward = Avec points de reprise, { BYTES($expected) } sont occupés à la fin de la passe avant ; la passe arrière atteint { BYTES($observed) }.
claim-tradeoff-flops-higher = FLOPs d'un pas avec points de reprise, face au pas ordinaire : { RATIO($observed) } ; la formule donne { RATIO($expected) }.
claim-tradeoff-dtypes-unchanged = Tenseurs créés dans le pas : { COUNT($made_plain) } sans points de reprise, { COUNT($made_checkpointed) } avec ({ $types }) ; d'un type absent du pas ordinaire : { COUNT($observed) }.
claim-tradeoff-batch-unchanged = Exemples du lot : { COUNT($expected) } ; vus par un bloc à chaque appel, rejeu compris ({ COUNT($calls) } en tout) : { COUNT($observed) }.
claim-tradeoff-no-bytes-leave = Écrit sur le disque pendant le pas : { EXACT($bytes_written) } ; connexions réseau ouvertes : { COUNT($sockets_opened) } ; transferts entre processus : { COUNT($collectives) }.

claim-sqrt-n-plain-peak = À { NOUN($at, "layer") }, le pic sans points de reprise est de { EXACT($observed) } ; la formule donne { EXACT($expected) }.
claim-sqrt-n-sqrt-peak = À { NOUN($at, "layer") }, le pic du placement en racine carrée est de { EXACT($observed) } ; la formule donne { EXACT($expected) }.
claim-sqrt-n-peak-grows = De { COUNT($first) } à { NOUN($last, "layer") }, croissance du pic avec points de reprise : { TIMES($observed) } ; la formule donne { TIMES($expected) }.
claim-sqrt-n-parameter-bytes-linear = De { COUNT($first) } à { NOUN($last, "layer") }, croissance des octets des paramètres : { TIMES($observed) }, jusqu'à { BYTES($bytes) }.
claim-sqrt-n-segment-peak = Découpées en { NOUN($at, "segment") }, { NOUN($layers, "layer") } ont un pic de { EXACT($observed) } ; la formule donne { EXACT($expected) }.
claim-sqrt-n-both-are-positive = Conservé à la fin de la passe avant : { BYTES($observed) }, soit { NOUN($activations_stored, "activation") } ; FLOPs du pas : { RATIO($flop_ratio) }.

claim-dropout-rng-restored-equal = Avec le générateur restauré, le plus grand écart entre gradients est { NUM($observed) }.
claim-dropout-rng-wrong-mask-wrong-gradient = Sans restaurer le générateur, les gradients s'écartent de { PERCENT($observed) }, la perte de { NUM($loss_difference) }.
claim-dropout-rng-any-batch-equal = Avec le générateur restauré, pour toutes les tailles de lot essayées ({ COUNT($places) }), le plus grand écart entre gradients est { NUM($observed) }.
claim-dropout-rng-weights-untouched = Tenseurs de poids changés par les passes avant et arrière : { COUNT($observed) } sur { COUNT($weights) } ; leur type : { $types }.
claim-dropout-rng-no-gradient-no-step = Sans gradients, un pas de l'optimiseur déplace un poids de { NUM($observed) } au plus ; avec gradients, de { NUM($moved_with_gradients) }.

claim-selective-stored-formula = { NOUN($layers, "block") }, première entrée comprise, conservent { EXACT($observed) } ; la formule publiée donne { EXACT($expected) }.
claim-selective-core-frees = Recalculer le cœur de l'attention libère { EXACT($observed) } dans chaque bloc ; la formule donne { EXACT($expected) }.
claim-selective-replayed-share = FLOPs d'un pas qui recalcule le cœur de l'attention, face au pas ordinaire : { RATIO($observed) } ; la formule donne { RATIO($expected) }.
claim-selective-flops-not-fewer = FLOPs sous toutes les politiques, face au pas ordinaire : au moins { RATIO($observed) } ({ WORD($lowest, "arm") }), au plus { RATIO($highest_ratio) } ({ WORD($highest, "arm") }).
claim-selective-input-layer-saves-nothing = Octets conservés que libère le recalcul de la couche d'entrée : { EXACT($observed) }.
claim-selective-loss-equal = Plus grand écart de la perte entre une politique ({ COUNT($policies) } essayées) et le pas ordinaire : { NUM($observed) }.
claim-selective-outputs-equal = Plus grand écart des sorties entre une politique ({ COUNT($policies) } essayées) et le pas ordinaire : { NUM($observed) }.

claim-saved-tensors-read-only-by-backward = Lectures des activations conservées : { COUNT($observed) } avant la passe arrière, { COUNT($reads_in_backward) } par elle.
claim-saved-tensors-stored-bytes = À la fin de la passe avant, { EXACT($observed) } d'activations sont conservés ; la formule donne { EXACT($expected) }.
claim-saved-tensors-output-without-storage = En mode inférence, { EXACT($observed) } sont conservés ; { $output_equal ->
    [yes] la sortie est la même au bit près.
   *[other] la sortie est différente.
}
claim-saved-tensors-inference-has-no-gradient = Paramètres qui ont reçu un gradient en mode inférence : { COUNT($observed) } ; la passe arrière { $raised ->
    [yes] lève une erreur.
   *[other] ne lève pas d'erreur.
}
claim-saved-tensors-parameters-unchanged = Octets des paramètres : { BYTES($parameters) } avant la conservation des activations, { RATIO($observed) } après ; les activations s'y ajoutent : { BYTES($stored) }.
claim-saved-tensors-nothing-left-after-step = Ce qui reste des activations du pas quand le lot suivant est chargé : { EXACT($observed) }.
claim-saved-tensors-freeing-breaks-backward = Façons essayées de toucher une activation conservée : { COUNT($expected) }. La passe arrière lève une erreur : { COUNT($raised) } ; le gradient est faux sans avertissement : { COUNT($silently_wrong) }.
claim-saved-tensors-no-backward-no-update = Paramètres sans gradient : { COUNT($without_gradient) } sur { COUNT($parameters) } ; plus grand changement d'un poids par le pas de l'optimiseur : { NUM($observed) }.

claim-replay-forward-runs-again = Appels de couches dans un pas : { COUNT($plain) } sans points de reprise ; avec, { COUNT($in_forward) } dans la passe avant et { COUNT($in_backward) } dans la passe arrière, { COUNT($observed) } en tout.
claim-replay-every-parameter-has-a-gradient = Paramètres dont le gradient manque ou diffère : { COUNT($observed) } sur { COUNT($parameters) }.
claim-replay-weights-intact = Tenseurs de poids changés par les passes avant et arrière : { COUNT($observed) } sur { COUNT($weights) }.
claim-replay-replay-needs-training = Appels rejoués : { COUNT($observed) } sans gradients, { COUNT($training_replays) } à l'entraînement.

claim-which-api-checkpoint-lowers = Activations conservées : { BYTES($expected) } sans torch.utils.checkpoint, { BYTES($observed) } avec ; pic : { BYTES($peak_plain) } et { BYTES($peak_checkpointed) }.
claim-which-api-optimizer-leaves-activations = Avec SGD, les activations conservées changent de { EXACT($observed) } ; l'état de l'optimiseur est de { BYTES($state_sgd) }, contre { BYTES($state_adamw) } avec AdamW.
claim-which-api-dropout-adds-bytes = Activations conservées : { BYTES($expected) } sans couches Dropout, { BYTES($observed) } avec.
claim-which-api-allocated-unchanged = Vider le cache libère { EXACT($observed) } des { BYTES($allocated) } alloués, et { BYTES($reserved_freed) } qui n'étaient que réservés.

claim-batchnorm-twice-statistics-move-twice = Avec un momentum de { NUM($at) }, déplacement de la moyenne glissante face à un pas sans point de reprise : { TIMES($observed) } ; la formule donne { TIMES($expected) }.

claim-optimizer-state-moment-bytes = { WORD($optimizer, "optimizer") } garde { NUM($observed) } B de moments par paramètre ; attendu : { NUM($expected) } B.
claim-optimizer-state-momentum-bytes = SGD avec momentum garde { NUM($observed) } B de moments par paramètre avec points de reprise, { NUM($plain) } B sans.
claim-optimizer-state-state-linear-in-depth = De { COUNT($first) } à { NOUN($last, "layer") }, croissance de l'état de l'optimiseur : { TIMES($observed) }, jusqu'à { BYTES($bytes) }.
claim-optimizer-state-state-equal-in-both-arms = État de l'optimiseur sans points de reprise : { BYTES($moments) } ; plus grand écart avec : { EXACT($observed) }.
claim-optimizer-state-state-types-equal = État de l'optimiseur par paramètre : { NUM($expected) } B sans points de reprise ({ $types_plain }), { NUM($observed) } B avec ({ $types_checkpointed }).
claim-optimizer-state-steps-run-and-weights-equal = Après { NOUN($steps, "training-step") }, le plus grand écart entre poids est { NUM($observed) } ; { $losses_equal ->
    [yes] toutes les pertes sont les mêmes.
   *[other] les pertes ne sont pas toutes les mêmes.
}

claim-offload-resident-falls = Sur { BYTES($stored) } d'activations conservées, { BYTES($resident) } restent en mémoire : { PERCENT($observed) } de moins.
claim-offload-flops-equal = FLOPs d'un pas : { FLOPS($expected) } sans déchargement, { FLOPS($observed) } avec.
claim-offload-gradients-equal = Plus grand écart entre gradients : { NUM($observed) }.
claim-offload-stored-proportional-to-batch = Pour un lot de { COUNT($at) }, les activations conservées occupent { EXACT($observed) } ; en proportion du plus petit lot, c'est { EXACT($expected) }.
claim-offload-norm-share-is-small = Les couches de normalisation détiennent { PERCENT($observed) } de ce qu'un bloc GPT conserve ; la formule donne { PERCENT($expected) }. Les enlever change la sortie de { PERCENT($output_change) }.

claim-overhead-flop-ratio-varies = FLOPs d'un pas avec points de reprise, sur { COUNT($cells) } combinaisons : de { RATIO($least) } ({ CELL($least_cell) }) à { RATIO($most) } ({ CELL($most_cell) }).
claim-overhead-time-ratios-differ = Temps d'un pas avec points de reprise, intervalles à 95 % : { CELL($low_cell) } de { TIMES($low_from) } à { TIMES($low_to) } ; { CELL($high_cell) } de { TIMES($high_from) } à { TIMES($high_to) }.
claim-overhead-dataset-length-irrelevant = Avec { COUNT($examples_few) } et avec { NOUN($examples_many, "example") }, un pas conserve { EXACT($stored_few) } et { EXACT($stored_many) }, pour { FLOPS($flops_few) } et { FLOPS($flops_many) }.
claim-overhead-classes-add-bytes = Conservé : { BYTES($expected) } avec { NOUN($classes_few, "class") }, { BYTES($observed) } avec { NOUN($classes_many, "class") }.

claim-placement-bisection-peak = À { NOUN($at, "layer") }, le pic avec points de reprise imbriqués est de { EXACT($observed) } ; la formule donne { EXACT($expected) }.
claim-placement-never-better-than-exhaustive = Pic du plan face au plus bas de { NOUN($placements, "placement") } essayés : de { RATIO($observed) } à { RATIO($largest_ratio) }.

claim-combine-sharded-half = Chacun des { NOUN($ranks, "process") } détient { BYTES($states_sharded) } des { BYTES($states_whole) } de paramètres, gradients et état de l'optimiseur : { PERCENT($observed) }.
claim-combine-collective-bytes-equal = Octets transmis entre processus dans un pas : { EXACT($expected) } sans points de reprise, { EXACT($observed) } avec.
claim-combine-stored-lower = Activations conservées avec partitionnement et bf16 : { BYTES($expected) } sans points de reprise, { BYTES($observed) } avec.

claim-noise-floor = Deux exécutions ordinaires diffèrent de { NUM($noise_floor) }.
claim-undecided-simulated = Non tranché : dans une simulation, les tenseurs ont des formes mais pas de valeurs.
claim-undecided-kernel_keeps_no_count = Non tranché : cette machine ne compte pas les octets écrits.
claim-undecided-driver_writes_too = Non tranché : avec un GPU, le pilote écrit aussi, et le compte du processus ne dit rien.
claim-undecided-clock_stood_still = Non tranché : l'horloge de cette machine n'a pas avancé.
