# One story an experiment; every number comes from its report.
narrative-generic = { $num_claims ->
    [one] Проверено е { COUNT($num_claims) } твърдение { $is_simulated ->
        [yes] върху симулирани стъпки на обучение
       *[no] върху истински стъпки на обучение
    }; нито едно не се провали.
   *[other] Проверени са { COUNT($num_claims) } твърдения { $is_simulated ->
        [yes] върху симулирани стъпки на обучение
       *[no] върху истински стъпки на обучение
    }; нито едно не се провали.
}
narrative-mixed = Твърдения, които се потвърждават при това изпълнение: { COUNT($num_holding) } от { COUNT($num_claims) }; непотвърдени: { COUNT($num_failing) }. Списъкът показва кои.
narrative-time = { $time_clock ->
    [process] Процесорно време на една стъпка
    [wall] Изминало време за една стъпка
   *[cuda] Време на GPU за една стъпка
}: { TIMES($time_ratio) } ({ PERCENT($time_confidence, decimals: 0) } интервал от { TIMES($time_low) } до { TIMES($time_high) }).

# Further sentences, where a report has their numbers.
narrative-optimizer-state-more = При ограничение на паметта { BYTES($budget_bytes) } паметта не стигна на AdamW в { COUNT($adamw_out_of_memory) } от 2 изпълнения, едното без контролни точки и едното с тях; SGD се побра в { COUNT($sgd_fits) } от 2.
narrative-replay-more = Едно изключение: при use_reentrant=True и вход, който не иска градиент, тензорите на параметри без градиент са { COUNT($reentrant_missing_gradients) }. { $reentrant_warned ->
    [yes] Съобщава го само едно предупреждение.
   *[no] Няма съобщение за това.
}

narrative-tradeoff = С контролни точки пикът на активациите падна от { BYTES($peak_plain) } на { BYTES($peak_checkpointed) }, а заедно с параметрите, градиентите и състоянието на оптимизатора – от { BYTES($total_plain) } на { BYTES($total_checkpointed) }. Цената е изчисление: FLOPs { RATIO($flop_ratio) }. Нищо друго не е пожертвано: най-голямата разлика в градиентите е { NUM($gradients_equal_observed) }, а в теглата след { NOUN($weights_equal_after_20_steps_steps, "training-step") } – { NUM($weights_equal_after_20_steps_observed) }.
narrative-tradeoff-bytes = С контролни точки пикът на активациите падна от { BYTES($peak_plain) } на { BYTES($peak_checkpointed) }. Цената е изчисление: FLOPs { RATIO($flop_ratio) }.
narrative-sqrt-n = От { COUNT($first_depth) } до { NOUN($last_depth, "layer") } пикът без контролни точки нарасна { TIMES($plain_growth) }, а с около √N контролни точки – само { TIMES($growth) }: при { NOUN($last_depth, "layer") } { BYTES($last_peak) } вместо { BYTES($last_plain_peak) }. Всеки пик е равен на формулата до байт. Той не е нито постоянен, нито безплатен: при { NOUN($layers, "layer") } FLOPs на стъпката са { RATIO($flop_ratio) }.
narrative-dropout-rng = С възстановен генератор повторението изтегли същите маски на dropout: най-голямата разлика в градиентите е { NUM($restored_difference) }. Без възстановяване те са грешни с { PERCENT($wrong_relative_error) } и нищо не го издава: { $losses_equal ->
    [yes] загубата е същата и няма съобщение за грешка.
   *[other] няма съобщение за грешка.
}
narrative-selective = Когато се повтаря само ядрото на вниманието, за обратното преминаване остават съхранени { BYTES($stored_core) } вместо { BYTES($stored_plain) } ({ PERCENT($core_share) } по-малко), срещу FLOPs { RATIO($core_flop_ratio) }. Когато се повтаря всеки блок, остават { BYTES($stored_full) }, срещу FLOPs { RATIO($full_flop_ratio) }. Изходите са същите при всеки вариант: най-голямата разлика е { NUM($outputs_equal_observed) }. При слято внимание няма много за избиране: { BYTES($fused_stored) } без повторение, { BYTES($fused_core_stored) } с него.
narrative-selective-bytes = Когато се повтаря само ядрото на вниманието, за обратното преминаване остават съхранени { BYTES($stored_core) } вместо { BYTES($stored_plain) } ({ PERCENT($core_share) } по-малко), срещу FLOPs { RATIO($core_flop_ratio) }. Когато се повтаря всеки блок, остават { BYTES($stored_full) }, срещу FLOPs { RATIO($full_flop_ratio) }.
narrative-saved-tensors = В края на правото преминаване бяха съхранени { BYTES($stored_plain) } активации. Докато се получи изходът, никой не ги прочете (прочитания: { COUNT($reads_before_backward) }); обратното преминаване ги прочете { NOUN($reads_in_backward, "time") }, за да изчисли градиентите. Без съхраняване изходът беше същият, но градиент нямаше. Когато бяха освободени или променени на място, обратното преминаване спря с грешка в { COUNT($freeing_breaks_backward_raised) } от { COUNT($freeing_breaks_backward_expected) } случая; когато бяха презаписани зад гърба на autograd, то даде грешни градиенти без предупреждение ({ COUNT($freeing_breaks_backward_silently_wrong) }). След стъпката останаха { EXACT($nothing_left_after_step_observed) }.
narrative-replay = От { NOUN($layers, "layer") } в { NOUN($segments, "segment") } всеки се изпълни веднъж в правото преминаване (извиквания: { COUNT($calls_in_forward) }); в обратното се повториха { NOUN($calls_in_backward, "call") }, общо { COUNT($calls) } вместо { COUNT($calls_plain) }. Всеки параметър получи своя градиент (липсващи или различни: { COUNT($every_parameter_has_a_gradient_observed) }), всяко тегло остана същото, а без обучение нищо не се повтаря.
narrative-which-api = torch.utils.checkpoint намали съхраненото от { BYTES($stored_plain) } на { BYTES($stored_checkpointed) }. torch.optim.SGD вместо AdamW го остави { BYTES($stored_sgd) }: той пести състояние на оптимизатора ({ BYTES($state_adamw) } срещу { BYTES($state_sgd) }), а не активации. torch.nn.Dropout го увеличи на { BYTES($stored_dropout) }.
narrative-batchnorm-twice = С контролна точка плъзгащата се средна се премести { TIMES($ratio) } спрямо стъпка без нея: { NOUN($tracked_checkpointed, "update") } вместо { COUNT($tracked_plain) }, защото повторението изпълнява BatchNorm отново. Градиентите не го показват (най-голяма разлика { NUM($gradient_difference) }). С momentum { NUM($repaired_momentum) } множителят е { NUM($repaired_ratio) }: поправено.
narrative-offload = При изнасяне във файл в паметта останаха { BYTES($stored_offloaded) } активации вместо { BYTES($stored_plain) } ({ PERCENT($resident_saved) } по-малко); изнесени бяха { BYTES($bytes_written) } в { NOUN($num_writes, "write") }. Нищо не беше изчислено повторно (FLOPs { RATIO($flop_ratio) }) и градиентите са равни (най-голяма разлика { NUM($gradient_difference) }). Заедно с контролни точки пикът беше { BYTES($peak_both) } срещу { BYTES($peak_plain) } без двете. Ако от един GPT блок се махнат нормализиращите слоеве, той би съхранявал само { PERCENT($norm_share) } по-малко и мрежата би била друга. Файлът остана в кеша на машината: времето не казва нищо за диск.
narrative-optimizer-state = AdamW пази { BYTES($moments_plain) } моменти без контролни точки и { BYTES($moments_checkpointed) } с тях: по { NUM($moment_bytes_observed) } B на параметър и в двата случая. Контролните точки намаляват само пика на активациите, от { BYTES($peak_plain) } на { BYTES($peak_checkpointed) }. Те не пречат на оптимизатора: след { NOUN($steps_run_and_weights_equal_steps, "step") } най-голямата разлика в теглата е { NUM($steps_run_and_weights_equal_observed) }. От { COUNT($state_linear_in_depth_first) } до { NOUN($state_linear_in_depth_last, "layer") } състоянието нараства { TIMES($state_linear_in_depth_observed) }, колкото и дълбочината.
narrative-overhead = Няма постоянен процент. При { COUNT($num_cells) } съчетания от мрежа и разположение FLOPs бяха от { RATIO($least_flop_ratio) } ({ CELL($least_cell) }) до { RATIO($most_flop_ratio) } ({ CELL($most_cell) }), където могат да се преброят ({ COUNT($num_counted) }). { $time_clock ->
    [cuda] Време на GPU
   *[process] Процесорно време
}: { CELL($time_low_cell) } { TIMES($time_low_from) } до { TIMES($time_low_to) }, { CELL($time_high_cell) } { TIMES($time_high_from) } до { TIMES($time_high_to) }; { $time_ratios_differ_verdict ->
    [holds] тези интервали са разделени.
   *[other] при това изпълнение те са твърде близо, за да се различат.
} Броят на етикетираните примери не променя нищо в една стъпка (най-голяма разлика { NUM($dataset_length_irrelevant_observed) }), а броят на класовете променя: от { COUNT($num_few_classes) } на { NOUN($num_many_classes, "class") } се съхраняват { BYTES($stored_many_classes) } вместо { BYTES($stored_few_classes) }.
narrative-overhead-bytes = Няма постоянен процент. При { COUNT($num_cells) } съчетания от мрежа и разположение FLOPs бяха от { RATIO($least_flop_ratio) } ({ CELL($least_cell) }) до { RATIO($most_flop_ratio) } ({ CELL($most_cell) }), където могат да се преброят ({ COUNT($num_counted) }). Броят на етикетираните примери не променя нищо в една стъпка (най-голяма разлика { NUM($dataset_length_irrelevant_observed) }), а броят на класовете променя: от { COUNT($num_few_classes) } на { NOUN($num_many_classes, "class") } се съхраняват { BYTES($stored_many_classes) } вместо { BYTES($stored_few_classes) }.
narrative-placement = Във верига от { NOUN($layers, "layer") } пикът е { BYTES($peak_plain) } без контролни точки, { BYTES($peak_sqrt) } при { COUNT($segments) } равни сегмента (FLOPs { RATIO($flop_ratio_sqrt) }), { BYTES($peak_planned) } при планирано разположение ({ RATIO($flop_ratio_planned) }) и { BYTES($peak_bisection) } при рекурсивно деление наполовина ({ RATIO($flop_ratio_bisection) }). { $is_optimal ->
    [yes] Изпробвани бяха и всички { COUNT($placements) } едностепенни разположения на късите вериги (до { NOUN($searched_layers, "layer") }): планът всеки път беше най-добрият.
   *[other] Изпробвани бяха и всички { COUNT($placements) } едностепенни разположения на късите вериги (до { NOUN($searched_layers, "layer") }): планът изискваше най-много { RATIO($largest_ratio) } спрямо най-ниския пик.
}
narrative-combine = Всяка техника намалява друг разход. При разделяне между { COUNT($ranks) } процеса всеки държи { BYTES($states_sharded) } параметри, градиенти и състояние на оптимизатора вместо { BYTES($states_whole) } ({ PERCENT($share) }), но все още { BYTES($stored_sharded) } активации. Контролните точки ги свеждат до { BYTES($stored_sharded_checkpointed) }; с bf16 те падат от { BYTES($stored_bf16) } на { BYTES($stored_bf16_checkpointed) }. Байтовете между процесите са едни и същи със и без контролни точки: { BYTES($collective_bytes) } на стъпка. Време не се показва: процесите делят ядрата на една машина.
