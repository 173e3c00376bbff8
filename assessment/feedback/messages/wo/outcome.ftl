# What a finished session shows: never a bare theta, always an interval.
outcome-inside = Ku tontu ni yaw, mën na am diggante { COUNT($low) } ak { COUNT($high) } tontu yu dëgg ci { COUNT($num_items) } laaj yi ci quiz bi.
outcome-at-or-below = Say tontu ci fi gëna yomb ci quiz bi lañu nekk, walla ci suufam: lu bari bari { COUNT($high) } ci { COUNT($num_items) } laaj.
outcome-at-or-above = Say tontu ci fi gëna jafe ci quiz bi lañu nekk, walla ci kawam: lu néew néew { COUNT($low) } ci { COUNT($num_items) } laaj.
outcome-provisional = Ni laaj yi jafee, ñi ko bind ñoo ko foog ba tey; natt gi dafay xaar.

mastery-not-tested = Kenn laajul dara ci loolu.
mastery-likely = Say tontu wone nañu ni xam nga ko.
mastery-unlikely = War nga ko seetaat.
mastery-open = Tontu yi néew nañu lool ngir wax dara.

belief-chosen-once = Tànn nga ko benn yoon
belief-chosen-again = Tànnaat nga ko
belief-later-right = Gannaaw loolu tontu nga dëgg
belief-not-chosen = Laaj nañu ko, tànnoo ko
belief-not-tested = Laajuñu ko

concept-trade-off = Li ñuy weccee
concept-saved-tensors = Tenseur yi ñu denc
concept-placement = Placement
concept-overhead = Njëg li ci dolliku
concept-selective = Xaymawaat bu tànn
concept-offload = Yebbi (offload)
concept-randomness = Mbir yu jekkul (aléatoire)
concept-optimizer-state = État bu optimiseur bi
concept-replay = Defaat (replay)
concept-combination = Boole ay pexe
concept-api = API
concept-normalisation = Normalisation
concept-budget = Budget mémoire
concept-measuring = Natt mémoire
