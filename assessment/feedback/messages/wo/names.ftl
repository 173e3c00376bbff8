# Words for the identifiers of a report: its arms, the axes of its sweeps.
arm-plain = bu amul checkpoint
arm-plain-again = bu amul checkpoint, ñaareelu yoon
arm-checkpointed = bu am checkpoint
arm-not-restored = bu am checkpoint, générateur bi delluwul fi mu nekkoon
arm-fused-plain = attention bu boole, bu amul checkpoint
arm-fused-checkpointed = attention bu boole, bu am checkpoint
arm-full = blok bu nekk xaymawaat nañu ko
arm-alternate = benn blok ci ñaar xaymawaat nañu ko
arm-first-block = blok bu njëkk bi xaymawaat nañu ko
arm-attention = attention bi xaymawaat nañu ko
arm-core = xolu attention bi xaymawaat nañu ko
arm-core-no-early-stop = xolu attention bi xaymawaat nañu ko, amul taxawaay bu njëkk
arm-save-products = produit matrice yépp denc nañu leen
arm-save-weight-products = produit yi ak poids denc nañu leen
arm-save-every-second-product = benn produit ci ñaar denc nañu ko
arm-fused-core = attention bu boole, xolu bi xaymawaat nañu ko
arm-input-plain = ak couche biy dugal, bu amul checkpoint
arm-input-layer = couche biy dugal xaymawaat nañu ko
arm-sgd = SGD moo wuutu AdamW
arm-dropout = ak couche Dropout yi
arm-empty-cache = cache bi ñu ko setal ginaaw couche bu nekk
arm-parameters = paramètre yi

axis-layers = couche yi
