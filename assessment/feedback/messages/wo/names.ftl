# Words for the identifiers of a report: its arms, the axes of its sweeps.
arm-plain = bu amul checkpoint
arm-plain-again = bu amul checkpoint, ñaareelu yoon
arm-checkpointed = bu am checkpoint
arm-not-restored = bu am checkpoint, générateur bi delluwul fi mu nekkoon
arm-fused-plain = attention bu boole, bu amul checkpoint
arm-fused-checkpointed = attention bu boole, bu am checkpoint
arm-parameters = paramètre yi

axis-layers = couche yi
