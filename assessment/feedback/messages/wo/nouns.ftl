# Numbers with their nouns, for NOUN: a Wolof noun does not change after a number.
noun-training-step = { COUNT($number) } jéego entraînement
noun-step = { COUNT($number) } jéego
noun-layer = { COUNT($number) } couche
noun-block = { COUNT($number) } blok
noun-segment = { COUNT($number) } segment
noun-activation = { COUNT($number) } aktiwasioŋ
noun-call = { COUNT($number) } woote
noun-time = { COUNT($number) } yoon
noun-write = { COUNT($number) } mbind
noun-update = { COUNT($number) } yeesal
noun-class = { COUNT($number) } classe
noun-process = { COUNT($number) } processus
noun-placement = { COUNT($number) } placement
noun-example = { COUNT($number) } misaal yu am etiket
noun-parameter = { COUNT($number) } paramètre
