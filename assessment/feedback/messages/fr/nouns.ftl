# Numbers with their nouns, for NOUN: the form follows the number.
noun-training-step = { COUNT($number) } pas d'entraînement
noun-step = { COUNT($number) } pas
noun-layer = { $number ->
    [one] { COUNT($number) } couche
   *[other] { COUNT($number) } couches
}
noun-block = { $number ->
    [one] { COUNT($number) } bloc
   *[other] { COUNT($number) } blocs
}
noun-segment = { $number ->
    [one] { COUNT($number) } segment
   *[other] { COUNT($number) } segments
}
noun-activation = { $number ->
    [one] { COUNT($number) } activation
   *[other] { COUNT($number) } activations
}
noun-call = { $number ->
    [one] { COUNT($number) } appel
   *[other] { COUNT($number) } appels
}
noun-time = { COUNT($number) } fois
noun-write = { $number ->
    [one] { COUNT($number) } écriture
   *[other] { COUNT($number) } écritures
}
noun-update = { $number ->
    [one] { COUNT($number) } mise à jour
   *[other] { COUNT($number) } mises à jour
}
noun-class = { $number ->
    [one] { COUNT($number) } classe
   *[other] { COUNT($number) } classes
}
noun-process = { COUNT($number) } processus
noun-placement = { $number ->
    [one] { COUNT($number) } placement
   *[other] { COUNT($number) } placements
}
noun-example = { $number ->
    [one] { COUNT($number) } exemple étiqueté
   *[other] { COUNT($number) } exemples étiquetés
}
noun-parameter = { $number ->
    [one] { COUNT($number) } paramètre
   *[other] { COUNT($number) } paramètres
}
