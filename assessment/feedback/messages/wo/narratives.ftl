# One story an experiment; every number comes from its report.
narrative-generic = Saytu nañu { COUNT($num_claims) } wax ci ay jéego entraînement yu dëggu; benn ci ñoom juumul.
narrative-mixed = Ci natt gii, { COUNT($num_holding) } ci { COUNT($num_claims) } wax yi dëgg lañu; yi du dëgg: { COUNT($num_failing) }. Limu wax yi wane na leen.
narrative-time = Diirub benn jéego: { TIMES($time_ratio) } (intervalle { PERCENT($time_confidence, decimals: 0) }: { TIMES($time_low) } ba { TIMES($time_high) }).

narrative-tradeoff = Ak checkpoint, peak bu aktiwasioŋ yi jóge na ci { BYTES($peak_plain) } wàcc ba { BYTES($peak_checkpointed) }; boo ci boole paramètre yi, gradient yi ak état bu optimiseur bi, mu jóge ci { BYTES($total_plain) } ba { BYTES($total_checkpointed) }. Li muy jar xayma la: FLOPs { RATIO($flop_ratio) }. Leneen lu ñu ñàkk amul: wuute gi gëna mag ci gradient yi { NUM($gradients_equal_observed) } la, ci poids yi ginaaw { COUNT($weights_equal_after_20_steps_steps) } jéego entraînement { NUM($weights_equal_after_20_steps_observed) } la.
narrative-tradeoff-bytes = Ak checkpoint, peak bu aktiwasioŋ yi jóge na ci { BYTES($peak_plain) } wàcc ba { BYTES($peak_checkpointed) }. Li muy jar xayma la: FLOPs { RATIO($flop_ratio) }.
narrative-sqrt-n = Bu couche yi jógee ci { COUNT($first_depth) } ba { COUNT($last_depth) }, peak bu amul checkpoint yokk na { TIMES($plain_growth) }, bu am lu tollu ni √N checkpoint { TIMES($growth) } rek: ci { COUNT($last_depth) } couche { BYTES($last_peak) } la, du { BYTES($last_plain_peak) }. Peak bu nekk yem na ak formule bi ba ci octet bi. Du lu dul soppiku, du lu amul njëg: ci { COUNT($layers) } couche, FLOPs yu benn jéego { RATIO($flop_ratio) } la.
narrative-dropout-rng = Bu générateur bi delloo fi mu nekkoon, xaymawaat gi jël na masque dropout yi woon: gradient yi wuute nañu ak yu njëkk yi ci { NUM($restored_difference) }. Bu ko deful, juum nañu ci { PERCENT($wrong_relative_error) }, te dara du ko wane: { $losses_equal ->
    [yes] perte bi mooy benn te amul benn erreur.
   *[other] amul benn erreur.
}
