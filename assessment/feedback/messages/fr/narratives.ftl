# One story an experiment; every number comes from its report.
narrative-generic = { $num_claims ->
    [one] { COUNT($num_claims) } affirmation a été vérifiée sur de vrais pas d'entraînement ; aucune n'a échoué.
   *[other] { COUNT($num_claims) } affirmations ont été vérifiées sur de vrais pas d'entraînement ; aucune n'a échoué.
}
narrative-mixed = { COUNT($num_holding) } affirmations sur { COUNT($num_claims) } sont confirmées dans cette exécution ; non confirmées : { COUNT($num_failing) }. La liste dit lesquelles.
narrative-time = Temps d'un pas : { TIMES($time_ratio) } (intervalle à { PERCENT($time_confidence, decimals: 0) } de { TIMES($time_low) } à { TIMES($time_high) }).

narrative-tradeoff = Avec des points de reprise, le pic des activations est passé de { BYTES($peak_plain) } à { BYTES($peak_checkpointed) }, et avec les paramètres, les gradients et l'état de l'optimiseur de { BYTES($total_plain) } à { BYTES($total_checkpointed) }. Le prix est du calcul : FLOPs { RATIO($flop_ratio) }. Rien d'autre n'est sacrifié : le plus grand écart des gradients est de { NUM($gradients_equal_observed) }, celui des poids après { COUNT($weights_equal_after_20_steps_steps) } pas d'entraînement de { NUM($weights_equal_after_20_steps_observed) }.
narrative-tradeoff-bytes = Avec des points de reprise, le pic des activations est passé de { BYTES($peak_plain) } à { BYTES($peak_checkpointed) }. Le prix est du calcul : FLOPs { RATIO($flop_ratio) }.
narrative-sqrt-n = De { COUNT($first_depth) } à { COUNT($last_depth) } couches, le pic sans points de reprise a grandi de { TIMES($plain_growth) }, avec environ √N points de reprise de { TIMES($growth) } seulement : à { COUNT($last_depth) } couches, { BYTES($last_peak) } au lieu de { BYTES($last_plain_peak) }. Chaque pic est égal à sa formule à l'octet près. Il n'est ni constant ni gratuit : à { COUNT($layers) } couches, les FLOPs d'un pas sont { RATIO($flop_ratio) }.
narrative-dropout-rng = Avec le générateur restauré, le recalcul a tiré les mêmes masques de dropout : l'écart des gradients est de { NUM($restored_difference) }. Sans cela, ils sont faux de { PERCENT($wrong_relative_error) }, et rien ne le trahit : { $losses_equal ->
    [yes] la perte est la même et aucune erreur n'est levée.
   *[other] aucune erreur n'est levée.
}
narrative-selective = En ne recalculant que le cœur de l'attention, il reste { BYTES($stored_core) } au lieu de { BYTES($stored_plain) } conservés pour la passe arrière ({ PERCENT($core_share) } de moins), pour des FLOPs { RATIO($core_flop_ratio) }. En recalculant chaque bloc, il reste { BYTES($stored_full) }, pour des FLOPs { RATIO($full_flop_ratio) }. Les sorties sont les mêmes dans chaque variante : plus grand écart { NUM($outputs_equal_observed) }. Avec l'attention fusionnée, il reste peu à choisir : { BYTES($fused_stored) } sans recalcul, { BYTES($fused_core_stored) } avec.
narrative-selective-bytes = En ne recalculant que le cœur de l'attention, il reste { BYTES($stored_core) } au lieu de { BYTES($stored_plain) } conservés pour la passe arrière ({ PERCENT($core_share) } de moins), pour des FLOPs { RATIO($core_flop_ratio) }. En recalculant chaque bloc, il reste { BYTES($stored_full) }, pour des FLOPs { RATIO($full_flop_ratio) }.
