# One story an experiment; every number comes from its report.
narrative-generic = { $num_claims ->
    [one] Проверено е { COUNT($num_claims) } твърдение върху истински стъпки на обучение; нито едно не се провали.
   *[other] Проверени са { COUNT($num_claims) } твърдения върху истински стъпки на обучение; нито едно не се провали.
}
narrative-mixed = При това изпълнение се потвърждават { COUNT($num_holding) } от { COUNT($num_claims) } твърдения; непотвърдени: { COUNT($num_failing) }. Списъкът показва кои.
narrative-time = Времето на една стъпка: { TIMES($time_ratio) } ({ PERCENT($time_confidence, decimals: 0) } интервал от { TIMES($time_low) } до { TIMES($time_high) }).

narrative-tradeoff = С контролни точки пикът на активациите падна от { BYTES($peak_plain) } на { BYTES($peak_checkpointed) }, а заедно с параметрите, градиентите и състоянието на оптимизатора – от { BYTES($total_plain) } на { BYTES($total_checkpointed) }. Цената е изчисление: FLOPs { RATIO($flop_ratio) }. Нищо друго не е пожертвано: най-голямата разлика в градиентите е { NUM($gradients_equal_observed) }, а в теглата след { COUNT($weights_equal_after_20_steps_steps) } стъпки на обучението – { NUM($weights_equal_after_20_steps_observed) }.
narrative-tradeoff-bytes = С контролни точки пикът на активациите падна от { BYTES($peak_plain) } на { BYTES($peak_checkpointed) }. Цената е изчисление: FLOPs { RATIO($flop_ratio) }.
narrative-sqrt-n = От { COUNT($first_depth) } до { COUNT($last_depth) } слоя пикът без контролни точки нарасна { TIMES($plain_growth) }, а с около √N контролни точки – само { TIMES($growth) }: при { COUNT($last_depth) } слоя { BYTES($last_peak) } вместо { BYTES($last_plain_peak) }. Всеки пик е равен на формулата до байт. Той не е нито постоянен, нито безплатен: при { COUNT($layers) } слоя FLOPs на стъпката са { RATIO($flop_ratio) }.
narrative-dropout-rng = С възстановен генератор повторението изтегли същите dropout маски: градиентите се различават от обикновените с { NUM($restored_difference) }. Без него те са грешни с { PERCENT($wrong_relative_error) } и нищо не го издава: { $losses_equal ->
    [yes] загубата е същата и няма съобщение за грешка.
   *[other] няма съобщение за грешка.
}
narrative-selective = Когато се повтаря само ядрото на вниманието, за обратното преминаване остават съхранени { BYTES($stored_core) } вместо { BYTES($stored_plain) } ({ PERCENT($core_share) } по-малко), срещу FLOPs { RATIO($core_flop_ratio) }. Когато се повтаря всеки блок, остават { BYTES($stored_full) }, срещу FLOPs { RATIO($full_flop_ratio) }. Изходите са същите при всеки вариант: най-голямата разлика е { NUM($outputs_equal_observed) }. При слято внимание няма много за избиране: { BYTES($fused_stored) } без повторение, { BYTES($fused_core_stored) } с него.
narrative-selective-bytes = Когато се повтаря само ядрото на вниманието, за обратното преминаване остават съхранени { BYTES($stored_core) } вместо { BYTES($stored_plain) } ({ PERCENT($core_share) } по-малко), срещу FLOPs { RATIO($core_flop_ratio) }. Когато се повтаря всеки блок, остават { BYTES($stored_full) }, срещу FLOPs { RATIO($full_flop_ratio) }.
