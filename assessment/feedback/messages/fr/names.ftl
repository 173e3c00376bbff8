# Words for the identifiers of a report: its arms, the axes of its sweeps.
arm-plain = sans points de reprise
arm-plain-again = sans points de reprise, à nouveau
arm-checkpointed = avec points de reprise
arm-not-restored = avec points de reprise, générateur non restauré
arm-fused-plain = attention fusionnée, sans points de reprise
arm-fused-checkpointed = attention fusionnée, avec points de reprise
arm-full = chaque bloc recalculé
arm-alternate = un bloc sur deux recalculé
arm-first-block = premier bloc recalculé
arm-attention = attention recalculée
arm-core = cœur de l'attention recalculé
arm-core-no-early-stop = cœur de l'attention recalculé, sans arrêt anticipé
arm-save-products = tous les produits matriciels conservés
arm-save-weight-products = produits avec les poids conservés
arm-save-every-second-product = un produit sur deux conservé
arm-fused-core = attention fusionnée, cœur recalculé
arm-input-plain = avec couche d'entrée, sans points de reprise
arm-input-layer = couche d'entrée recalculée
arm-sgd = SGD au lieu d'AdamW
arm-dropout = avec des couches Dropout
arm-empty-cache = cache vidé après chaque couche
arm-parameters = paramètres

axis-layers = couches
