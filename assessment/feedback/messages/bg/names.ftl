# Words for the identifiers of a report: its arms, the axes of its sweeps.
arm-plain = без контролни точки
arm-plain-again = без контролни точки, повторно
arm-checkpointed = с контролни точки
arm-not-restored = с контролни точки, генераторът не е възстановен
arm-fused-plain = слято внимание, без контролни точки
arm-fused-checkpointed = слято внимание, с контролни точки
arm-full = повтаря се всеки блок
arm-alternate = повтаря се всеки втори блок
arm-first-block = повтаря се първият блок
arm-attention = повтаря се вниманието
arm-core = повтаря се ядрото на вниманието
arm-core-no-early-stop = повтаря се ядрото на вниманието, без ранно спиране
arm-save-products = пазят се всички матрични произведения
arm-save-weight-products = пазят се произведенията с тегла
arm-save-every-second-product = пази се всяко второ произведение
arm-fused-core = слято внимание, повтаря се ядрото
arm-input-plain = с входен слой, без контролни точки
arm-input-layer = повтаря се входният слой
arm-sgd = SGD вместо AdamW
arm-dropout = със слоеве Dropout
arm-empty-cache = кешът се изпразва след всеки слой
arm-parameters = параметри

axis-layers = слоеве
