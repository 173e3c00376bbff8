# Words for the identifiers of a report: its arms, the axes of its sweeps.
arm-plain = sans points de reprise
arm-plain-again = sans points de reprise, à nouveau
arm-checkpointed = avec points de reprise
arm-not-restored = avec points de reprise, générateur non restauré
arm-fused-plain = attention fusionnée, sans points de reprise
arm-fused-checkpointed = attention fusionnée, avec points de reprise
arm-parameters = paramètres

axis-layers = couches
