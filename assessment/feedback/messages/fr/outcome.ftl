# What a finished session shows: never a bare theta, always an interval.
outcome-inside = Une personne qui répond comme vous aurait juste à entre { COUNT($low) } et { COUNT($high) } des { COUNT($num_items) } questions de ce quiz.
outcome-at-or-below = Vos réponses se situent au bas de ce quiz ou en dessous : au plus { COUNT($high) } questions sur { COUNT($num_items) } environ.
outcome-at-or-above = Vos réponses se situent au sommet de ce quiz ou au-dessus : au moins { COUNT($low) } questions sur { COUNT($num_items) } environ.
outcome-provisional = La difficulté de ces questions reste une estimation de leurs auteurs ; l'intervalle est provisoire.

mastery-not-tested = Aucune question n'a été posée là-dessus.
mastery-likely = Vos réponses montrent que c'est acquis.
mastery-unlikely = À revoir.
mastery-open = Trop peu de réponses pour conclure.

belief-chosen-once = Choisi une fois
belief-chosen-again = Choisi de nouveau
belief-later-right = Répondu juste ensuite
belief-not-chosen = Testé, non choisi
belief-not-tested = Non testé

concept-trade-off = Ce qu'on échange
concept-saved-tensors = Tenseurs conservés
concept-placement = Placement
concept-overhead = Surcoût
concept-selective = Recalcul sélectif
concept-offload = Déchargement
concept-randomness = Aléa
concept-optimizer-state = État de l'optimiseur
concept-replay = Rejeu
concept-combination = Combiner les techniques
concept-api = API
concept-normalisation = Normalisation
concept-budget = Budget mémoire
concept-measuring = Mesurer la mémoire
