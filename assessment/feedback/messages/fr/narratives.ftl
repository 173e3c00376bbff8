# One story an experiment; every number comes from its report.
narrative-generic = { $num_claims ->
    [one] { COUNT($num_claims) } affirmation a été vérifiée { $is_simulated ->
        [yes] sur des pas d'entraînement simulés
       *[no] sur de vrais pas d'entraînement
    } ; aucune n'a échoué.
   *[other] { COUNT($num_claims) } affirmations ont été vérifiées { $is_simulated ->
        [yes] sur des pas d'entraînement simulés
       *[no] sur de vrais pas d'entraînement
    } ; aucune n'a échoué.
}
narrative-mixed = Affirmations confirmées dans cette exécution : { COUNT($num_holding) } sur { COUNT($num_claims) } ; non confirmées : { COUNT($num_failing) }. La liste dit lesquelles.
narrative-time = { $time_clock ->
    [process] Temps CPU d'un pas
    [wall] Temps écoulé d'un pas
   *[cuda] Temps GPU d'un pas
} : { TIMES($time_ratio) } (intervalle à { PERCENT($time_confidence, decimals: 0) } de { TIMES($time_low) } à { TIMES($time_high) }).

# Further sentences, where a report has their numbers.
narrative-optimizer-state-more = Sous une limite de mémoire de { BYTES($budget_bytes) }, AdamW a manqué de mémoire dans { COUNT($adamw_out_of_memory) } exécutions sur 2, l'une sans points de reprise et l'autre avec ; exécutions où SGD a tenu : { COUNT($sgd_fits) } sur 2.
narrative-replay-more = Une exception à connaître : avec use_reentrant=True et une entrée qui ne demande pas de gradient, tenseurs de paramètres sans gradient : { COUNT($reentrant_missing_gradients) }. { $reentrant_warned ->
    [yes] Seul un avertissement le dit.
   *[no] Rien ne le dit.
}

narrative-tradeoff = Avec des points de reprise, le pic des activations est passé de { BYTES($peak_plain) } à { BYTES($peak_checkpointed) } ; paramètres, gradients et état de l'optimiseur compris, de { BYTES($total_plain) } à { BYTES($total_checkpointed) }. Le prix est du calcul : FLOPs { RATIO($flop_ratio) }. Rien d'autre n'est sacrifié : le plus grand écart des gradients est de { NUM($gradients_equal_observed) }, celui des poids après { NOUN($weights_equal_after_20_steps_steps, "training-step") } de { NUM($weights_equal_after_20_steps_observed) }.
narrative-tradeoff-bytes = Avec des points de reprise, le pic des activations est passé de { BYTES($peak_plain) } à { BYTES($peak_checkpointed) }. Le prix est du calcul : FLOPs { RATIO($flop_ratio) }.
narrative-sqrt-n = De { COUNT($first_depth) } à { NOUN($last_depth, "layer") }, le pic sans points de reprise a grandi { TIMES($plain_growth) }, avec environ √N points de reprise { TIMES($growth) } seulement : à { NOUN($last_depth, "layer") }, { BYTES($last_peak) } au lieu de { BYTES($last_plain_peak) }. Chaque pic est égal à sa formule à l'octet près. Il n'est ni constant ni gratuit : à { NOUN($layers, "layer") }, les FLOPs d'un pas sont { RATIO($flop_ratio) }.
narrative-dropout-rng = Avec le générateur restauré, le rejeu a tiré les mêmes masques de dropout : le plus grand écart des gradients est de { NUM($restored_difference) }. Sans cela, ils sont faux de { PERCENT($wrong_relative_error) }, et rien ne le trahit : { $losses_equal ->
    [yes] la perte est la même et aucune erreur n'est levée.
   *[other] aucune erreur n'est levée.
}
narrative-selective = En ne recalculant que le cœur de l'attention, il reste { BYTES($stored_core) } au lieu de { BYTES($stored_plain) } conservés pour la passe arrière ({ PERCENT($core_share) } de moins), pour des FLOPs { RATIO($core_flop_ratio) }. En recalculant chaque bloc, il reste { BYTES($stored_full) }, pour des FLOPs { RATIO($full_flop_ratio) }. Les sorties sont les mêmes dans chaque variante : plus grand écart { NUM($outputs_equal_observed) }. Avec l'attention fusionnée, il reste peu à choisir : { BYTES($fused_stored) } sans recalcul, { BYTES($fused_core_stored) } avec.
narrative-selective-bytes = En ne recalculant que le cœur de l'attention, il reste { BYTES($stored_core) } au lieu de { BYTES($stored_plain) } conservés pour la passe arrière ({ PERCENT($core_share) } de moins), pour des FLOPs { RATIO($core_flop_ratio) }. En recalculant chaque bloc, il reste { BYTES($stored_full) }, pour des FLOPs { RATIO($full_flop_ratio) }.
narrative-saved-tensors = À la fin de la passe avant, { BYTES($stored_plain) } d'activations étaient conservés. Jusqu'à la sortie, personne n'a lu ces activations (lectures : { COUNT($reads_before_backward) }) ; la passe arrière les a lues { NOUN($reads_in_backward, "time") }, pour calculer les gradients. Sans rien conserver, la sortie était la même et aucun gradient n'existait. Quand elles étaient libérées ou modifiées sur place, la passe arrière a levé une erreur dans { COUNT($freeing_breaks_backward_raised) } cas sur { COUNT($freeing_breaks_backward_expected) } ; quand elles étaient réécrites dans le dos d'autograd, elle a donné des gradients faux en silence ({ COUNT($freeing_breaks_backward_silently_wrong) }). Après le pas, il restait { EXACT($nothing_left_after_step_observed) }.
narrative-replay = Sur { NOUN($layers, "layer") } en { NOUN($segments, "segment") }, chacune a tourné une fois dans la passe avant (appels : { COUNT($calls_in_forward) }) ; la passe arrière a ajouté { NOUN($calls_in_backward, "call") }, { COUNT($calls) } en tout au lieu de { COUNT($calls_plain) }. Chaque paramètre a son gradient (manquants ou différents : { COUNT($every_parameter_has_a_gradient_observed) }), chaque poids est resté le même, et sans entraînement rien n'est rejoué.
narrative-which-api = torch.utils.checkpoint a fait passer ce qui est conservé de { BYTES($stored_plain) } à { BYTES($stored_checkpointed) }. torch.optim.SGD au lieu d'AdamW l'a laissé à { BYTES($stored_sgd) } : il économise l'état de l'optimiseur ({ BYTES($state_adamw) } contre { BYTES($state_sgd) }), pas les activations. torch.nn.Dropout l'a porté à { BYTES($stored_dropout) }.
narrative-batchnorm-twice = Avec un point de reprise, la moyenne glissante s'est déplacée { TIMES($ratio) } plus loin en un pas : { NOUN($tracked_checkpointed, "update") } au lieu de { COUNT($tracked_plain) }, car le rejeu exécute BatchNorm de nouveau. Les gradients ne le montrent pas (plus grand écart { NUM($gradient_difference) }). Avec un momentum de { NUM($repaired_momentum) }, le facteur est { NUM($repaired_ratio) } : réparé.
narrative-offload = Avec le déchargement dans un fichier, { BYTES($stored_offloaded) } d'activations sont restés en mémoire au lieu de { BYTES($stored_plain) } ({ PERCENT($resident_saved) } de moins) ; { BYTES($bytes_written) } sont sortis en { NOUN($num_writes, "write") }. Rien n'a été recalculé (FLOPs { RATIO($flop_ratio) }) et les gradients sont égaux (plus grand écart { NUM($gradient_difference) }). Avec des points de reprise en plus, le pic était de { BYTES($peak_both) }, contre { BYTES($peak_plain) } sans les deux. Enlever les normalisations d'un bloc GPT n'épargnerait que { PERCENT($norm_share) } de ce qu'il conserve, et en ferait un autre réseau. Le fichier est resté dans le cache de la machine : le temps ne dit rien d'un disque.
narrative-optimizer-state = AdamW garde { BYTES($moments_plain) } de moments sans points de reprise et { BYTES($moments_checkpointed) } avec : { NUM($moment_bytes_observed) } B par paramètre dans les deux cas. Les points de reprise n'abaissent que le pic des activations, de { BYTES($peak_plain) } à { BYTES($peak_checkpointed) }. Ils ne gênent pas l'optimiseur : après { NOUN($steps_run_and_weights_equal_steps, "step") }, le plus grand écart des poids est de { NUM($steps_run_and_weights_equal_observed) }. De { COUNT($state_linear_in_depth_first) } à { NOUN($state_linear_in_depth_last, "layer") }, l'état croît { TIMES($state_linear_in_depth_observed) }, comme la profondeur.
narrative-overhead = Il n'y a pas de pourcentage fixe. Sur { COUNT($num_cells) } combinaisons de réseau et de placement, les FLOPs allaient de { RATIO($least_flop_ratio) } ({ CELL($least_cell) }) à { RATIO($most_flop_ratio) } ({ CELL($most_cell) }), là où l'on peut les compter ({ COUNT($num_counted) }). { $time_clock ->
    [cuda] Temps GPU
   *[process] Temps CPU
} : { CELL($time_low_cell) } de { TIMES($time_low_from) } à { TIMES($time_low_to) }, { CELL($time_high_cell) } de { TIMES($time_high_from) } à { TIMES($time_high_to) } ; { $time_ratios_differ_verdict ->
    [holds] ces intervalles sont séparés.
   *[other] dans cette exécution, ils sont trop proches pour les distinguer.
} Le nombre d'exemples étiquetés ne change rien à un pas (plus grand écart { NUM($dataset_length_irrelevant_observed) }) ; le nombre de classes, si : de { COUNT($num_few_classes) } à { NOUN($num_many_classes, "class") }, { BYTES($stored_many_classes) } sont conservés au lieu de { BYTES($stored_few_classes) }.
narrative-placement = Sur une chaîne de { NOUN($layers, "layer") }, le pic est de { BYTES($peak_plain) } sans points de reprise, de { BYTES($peak_sqrt) } avec { COUNT($segments) } segments égaux (FLOPs { RATIO($flop_ratio_sqrt) }), de { BYTES($peak_planned) } avec un placement planifié ({ RATIO($flop_ratio_planned) }) et de { BYTES($peak_bisection) } avec une bissection récursive ({ RATIO($flop_ratio_bisection) }). { $is_optimal ->
    [yes] Les { COUNT($placements) } placements à un niveau des chaînes courtes (jusqu'à { NOUN($searched_layers, "layer") }) ont tous été essayés : le plan a été le meilleur chaque fois.
   *[other] Les { COUNT($placements) } placements à un niveau des chaînes courtes (jusqu'à { NOUN($searched_layers, "layer") }) ont tous été essayés : le plan a demandé au plus { RATIO($largest_ratio) } par rapport au pic le plus bas.
}
narrative-combine = Chaque technique abaisse un autre coût. Avec un partitionnement sur { COUNT($ranks) } processus, chacun tient { BYTES($states_sharded) } de paramètres, gradients et état de l'optimiseur au lieu de { BYTES($states_whole) } ({ PERCENT($share) }), mais toujours { BYTES($stored_sharded) } d'activations. Les points de reprise les ramènent à { BYTES($stored_sharded_checkpointed) } ; avec bf16, elles passent de { BYTES($stored_bf16) } à { BYTES($stored_bf16_checkpointed) }. Les octets échangés entre les processus sont les mêmes avec et sans points de reprise : { BYTES($collective_bytes) } par pas. Aucun temps n'est montré.
