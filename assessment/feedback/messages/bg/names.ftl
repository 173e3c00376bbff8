# Words for the identifiers of a report: its arms, the axes of its sweeps.
arm-plain = без контролни точки
arm-plain-again = без контролни точки, повторно
arm-checkpointed = с контролни точки
arm-not-restored = с контролни точки, генераторът не е възстановен
arm-fused-plain = слято внимание, без контролни точки
arm-fused-checkpointed = слято внимание, с контролни точки
arm-parameters = параметри

axis-layers = слоеве
