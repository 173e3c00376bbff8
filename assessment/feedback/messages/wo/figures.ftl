# Titles, notes, axes and legends of the figures, their text alternatives and table headings.
unknown = xamuñu ko
unknown-not_measured_for_this_arm = xamuñu ko (nattuñu ko ci variante bii)
unknown-simulated = xamuñu ko (simulation: jëluñu dara)
unknown-profiler_saw_nothing = xamuñu ko (profileur bi gisul dara)

figure-memory-title = Mémoire bu benn jéego bu entraînement, opérateur ci kaw opérateur
figure-memory-note = Octet yi ci kaw paramètre yi, gradient yi ak état bu optimiseur bi. Rëdd wu dagg: fi backward di tàmbalee. Tomb: peak bi.
figure-memory-alt = Mémoire bi ñuy jëfandikoo ci opérateur yi ci benn jéego bu entraînement.
figure-memory-alt-arm = { $arm }: bi forward jeexee denc nañu { BYTES($stored) }, peak bi { BYTES($peak) } la.
figure-memory-alt-peak = { $arm }: peak bi { BYTES($peak) } la.

figure-scaling-title = { $is_simulated ->
    [yes] Ni muy yokkee: li ñu simulé ak formule bi
   *[no] Ni muy yokkee: li ñu natt ak formule bi
}
figure-scaling-note = { $is_simulated ->
    [yes] Tomb yi: li ñu simulé.
   *[no] Tomb yi: li ñu natt.
} Rëdd yi: formule bi.
figure-scaling-note-residual = Wuute gi gëna mag: { $residual }.
figure-scaling-note-points = { $is_simulated ->
    [yes] Tomb yi: li ñu simulé.
   *[no] Tomb yi: li ñu natt.
}
figure-scaling-alt = Ni muy yokkee ci ñaari axe logarithmique.
figure-scaling-alt-series = { $series }: mu jóge ci { $first_y } ({ $x_name } { NUM($first_x) }) dem ba { $last_y } ({ NUM($last_x) }).

figure-pareto-title = Li variante bu nekk di sakkanal, ak li muy jar
figure-pareto-note = Ci càmmoñ: xayma bu gëna néew. Ci suuf: mémoire bu gëna néew.
figure-pareto-note-front = Rëdd wu dóomu-taal: variante yi kenn gënul.
figure-pareto-alt = Mémoire peak ak xayma.
figure-pareto-alt-arm = { $arm }: peak { BYTES($peak) }, FLOPs { RATIO($flop_ratio) }.
figure-pareto-alt-best = Yi kenn gënul: { $arms }.

figure-stack-title = Lan mooy mémoire bu benn jéego
figure-stack-note = Aktiwasioŋ yi: seen peak ci kaw ñett yeneen yi.
figure-stack-alt = Mémoire bu benn jéego bu entraînement, xeet ci xeet.
figure-stack-alt-arm = { $arm }: paramètre yi { BYTES($parameters) }, gradient yi { BYTES($gradients) }, état bu optimiseur bi { BYTES($optimizer_state) }, aktiwasioŋ yi ci peak bi { BYTES($activations) }.

axis-operator = limu opérateur
axis-live-memory = mémoire bi ñuy jëfandikoo, { $unit }
axis-peak-memory = mémoire peak, { $unit }
axis-memory = mémoire, { $unit }
axis-flop-ratio = FLOPs (bu amul checkpoint: ×1)
legend-exponent = { $series } (exposant { NUM($exponent, digits: 3) })

column-number = Lim
column-arm = variante
column-stored = li ñu denc ngir backward
column-peak = peak
column-total-peak = peak boole ci paramètre, gradient ak état bu optimiseur bi
column-allocator-peak = peak bu allocateur bi
column-measured = { $is_simulated ->
    [yes] li ñu simulé
   *[no] li ñu natt
}
column-formula = formule
column-flop-ratio = FLOPs, méngale ak bu amul checkpoint
column-sum = lépp

part-parameters = paramètre yi
part-gradients = gradient yi
part-optimizer-state = état bu optimiseur bi
part-activations = aktiwasioŋ yi (peak)

unit-byte = octet yi
unit-flop = FLOPs
unit-1 = rapport
unit-count = lim
unit-s = seconde yi
