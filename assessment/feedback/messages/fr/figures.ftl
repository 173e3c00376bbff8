# Titles, notes, axes and legends of the figures, their text alternatives and table headings.
unknown = inconnu
unknown-not_measured_for_this_arm = inconnu (non mesuré pour cette variante)
unknown-simulated = inconnu (simulation : rien n'a été alloué)
unknown-profiler_saw_nothing = inconnu (le profileur n'a rien vu)

figure-memory-title = La mémoire d'un pas d'entraînement, opérateur par opérateur
figure-memory-note = Octets au-dessus des paramètres, des gradients et de l'état de l'optimiseur. Tirets : début de la passe arrière. Point : le pic.
figure-memory-alt = Mémoire occupée au fil des opérateurs d'un pas d'entraînement.
figure-memory-alt-arm = { $arm } : { BYTES($stored) } conservés à la fin de la passe avant, pic de { BYTES($peak) }.
figure-memory-alt-peak = { $arm } : pic de { BYTES($peak) }.

figure-scaling-title = { $is_simulated ->
    [yes] La croissance : simulation et formule
   *[no] La croissance : mesure et formule
}
figure-scaling-note = { $is_simulated ->
    [yes] Points : simulation.
   *[no] Points : mesure.
} Lignes : formule.
figure-scaling-note-residual = Plus grand écart : { $residual }.
figure-scaling-note-points = { $is_simulated ->
    [yes] Points : simulation.
   *[no] Points : mesure.
}
figure-scaling-alt = Croissance sur deux axes logarithmiques.
figure-scaling-alt-series = { $series } : de { $first_y } pour { $x_name } { NUM($first_x) } à { $last_y } pour { NUM($last_x) }.

figure-pareto-title = Ce que chaque variante économise, et ce qu'elle coûte
figure-pareto-note = Plus à gauche : moins de calcul. Plus bas : moins de mémoire.
figure-pareto-note-front = Ligne grise : variantes qu'aucune autre ne surpasse.
figure-pareto-alt = Pic mémoire et calcul.
figure-pareto-alt-arm = { $arm } : pic de { BYTES($peak) }, FLOPs { RATIO($flop_ratio) }.
figure-pareto-alt-best = Surpassées par aucune autre : { $arms }.

figure-stack-title = De quoi se compose la mémoire d'un pas
figure-stack-note = Activations : leur pic au-dessus des trois autres.
figure-stack-alt = Mémoire d'un pas d'entraînement, par nature.
figure-stack-alt-arm = { $arm } : paramètres { BYTES($parameters) }, gradients { BYTES($gradients) }, état de l'optimiseur { BYTES($optimizer_state) }, activations au pic { BYTES($activations) }.

axis-operator = numéro de l'opérateur
axis-live-memory = mémoire occupée, { $unit }
axis-peak-memory = pic mémoire, { $unit }
axis-memory = mémoire, { $unit }
axis-flop-ratio = FLOPs, en multiple de l'entraînement ordinaire
legend-exponent = { $series } (exposant { NUM($exponent, digits: 3) })

column-number = Nº
column-arm = variante
column-stored = conservé pour la passe arrière
column-peak = pic
column-total-peak = pic avec paramètres, gradients et état de l'optimiseur
column-allocator-peak = pic de l'allocateur
column-measured = { $is_simulated ->
    [yes] simulation
   *[no] mesure
}
column-formula = formule
column-flop-ratio = FLOPs, en multiple de l'ordinaire
column-sum = somme

part-parameters = paramètres
part-gradients = gradients
part-optimizer-state = état de l'optimiseur
part-activations = activations (pic)

unit-byte = octets
unit-flop = FLOPs
unit-1 = rapport
unit-count = nombre
unit-s = secondes
