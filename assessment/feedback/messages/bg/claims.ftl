# What each claim was decided on, with its numbers in words. The sentences state what was found
# and take no side, so that each is as true of a claim that fails as of one that holds.
claim-tradeoff-gradients-equal = Най-голяма разлика в градиентите: { NUM($observed) }.
claim-tradeoff-weights-equal-after-20-steps = След { NOUN($steps, "training-step") } най-голямата разлика в теглата е { NUM($observed) }; { $losses_equal ->
    [yes] всички загуби са еднакви.
   *[other] не всички загуби са еднакви.
}
claim-tradeoff-peak-lower = Пик на активациите: { BYTES($expected) } без контролни точки, { BYTES($observed) } с тях; заедно с параметрите, градиентите и състоянието на оптимизатора – { BYTES($total_plain) } и { BYTES($total_checkpointed) }.
claim-tradeoff-peak-is-in-backward = С контролни точки в края на правото преминаване са заети { BYTES($expected) }; при обратното заетата памет стига { BYTES($observed) }.
claim-tradeoff-flops-higher = FLOPs на стъпка с контролни точки: { RATIO($observed) } спрямо обикновената; формулата дава { RATIO($expected) }.
claim-tradeoff-dtypes-unchanged = Тензори, създадени в стъпката: { COUNT($made_plain) } без контролни точки, { COUNT($made_checkpointed) } с тях ({ $types }); от тип, който в обикновената стъпка го няма: { COUNT($observed) }.
claim-tradeoff-batch-unchanged = Примери в партидата: { COUNT($expected) }; колко вижда един блок при всяко от неговите извиквания, заедно с повторенията (общо { COUNT($calls) }): { COUNT($observed) }.
claim-tradeoff-no-bytes-leave = Записано на диска през стъпката: { EXACT($bytes_written) }; отворени мрежови връзки: { COUNT($sockets_opened) }; предавания между процеси: { COUNT($collectives) }.

claim-sqrt-n-plain-peak = При { NOUN($at, "layer") } пикът без контролни точки е { EXACT($observed) }; формулата дава { EXACT($expected) }.
claim-sqrt-n-sqrt-peak = При { NOUN($at, "layer") } пикът с разположение по корен квадратен е { EXACT($observed) }; формулата дава { EXACT($expected) }.
claim-sqrt-n-peak-grows = От { COUNT($first) } до { NOUN($last, "layer") } пикът с контролни точки нараства { TIMES($observed) }; формулата дава { TIMES($expected) }.
claim-sqrt-n-parameter-bytes-linear = От { COUNT($first) } до { NOUN($last, "layer") } байтовете на параметрите нарастват { TIMES($observed) }, до { BYTES($bytes) }.
claim-sqrt-n-segment-peak = Разделени на { NOUN($at, "segment") }, { NOUN($layers, "layer") } имат пик { EXACT($observed) }; формулата дава { EXACT($expected) }.
claim-sqrt-n-both-are-positive = Съхранено в края на правото преминаване: { BYTES($observed) }, тоест { NOUN($activations_stored, "activation") }; FLOPs на стъпката: { RATIO($flop_ratio) }.

claim-dropout-rng-restored-equal = С възстановен генератор най-голямата разлика в градиентите е { NUM($observed) }.
claim-dropout-rng-wrong-mask-wrong-gradient = Без възстановяване на генератора градиентите се отклоняват с { PERCENT($observed) }, а загубата – с { NUM($loss_difference) }.
claim-dropout-rng-any-batch-equal = С възстановен генератор при всички изпробвани размери на партидата ({ COUNT($places) }) най-голямата разлика в градиентите е { NUM($observed) }.
claim-dropout-rng-weights-untouched = Тензори с тегла, променени от право и обратно преминаване: { COUNT($observed) } от { COUNT($weights) }; типът им: { $types }.
claim-dropout-rng-no-gradient-no-step = Без градиенти стъпката на оптимизатора мести теглата най-много с { NUM($observed) }, а с градиенти – с { NUM($moved_with_gradients) }.

claim-selective-stored-formula = { NOUN($layers, "block") } заедно с първия вход съхраняват { EXACT($observed) }; публикуваната формула дава { EXACT($expected) }.
claim-selective-core-frees = Повторението на ядрото на вниманието освобождава { EXACT($observed) } във всеки блок; формулата дава { EXACT($expected) }.
claim-selective-replayed-share = FLOPs на стъпка, която повтаря ядрото на вниманието: { RATIO($observed) } спрямо обикновената; формулата дава { RATIO($expected) }.
claim-selective-flops-not-fewer = FLOPs при всички варианти спрямо обикновената стъпка: най-малко { RATIO($observed) } ({ WORD($lowest, "arm") }), най-много { RATIO($highest_ratio) } ({ WORD($highest, "arm") }).
claim-selective-input-layer-saves-nothing = Съхранени байтове, освободени от повторението на входния слой: { EXACT($observed) }.
claim-selective-loss-equal = Най-голяма разлика в загубата между някой вариант (изпробвани: { COUNT($policies) }) и обикновената стъпка: { NUM($observed) }.
claim-selective-outputs-equal = Най-голяма разлика в изходите между някой вариант (изпробвани: { COUNT($policies) }) и обикновената стъпка: { NUM($observed) }.

claim-saved-tensors-read-only-by-backward = Прочитания на съхранените активации: { COUNT($observed) } преди обратното преминаване, { COUNT($reads_in_backward) } от него.
claim-saved-tensors-stored-bytes = В края на правото преминаване са съхранени { EXACT($observed) } активации; формулата дава { EXACT($expected) }.
claim-saved-tensors-output-without-storage = В режим на извод (inference) се съхраняват { EXACT($observed) }; { $output_equal ->
    [yes] изходът е същият до последния бит.
   *[other] изходът е друг.
}
claim-saved-tensors-inference-has-no-gradient = Параметри, получили градиент в режим на извод (inference): { COUNT($observed) }; обратното преминаване { $raised ->
    [yes] спира с грешка.
   *[other] не дава грешка.
}
claim-saved-tensors-parameters-unchanged = Байтове на параметрите: { BYTES($parameters) } преди съхраняването на активациите, { RATIO($observed) } след него; активациите се добавят към тях: { BYTES($stored) }.
claim-saved-tensors-nothing-left-after-step = Останало от активациите на стъпката, когато се зарежда следващата партида: { EXACT($observed) }.
claim-saved-tensors-freeing-breaks-backward = Изпробвани намеси в съхранена активация: { COUNT($expected) }. Обратното преминаване спира с грешка: { COUNT($raised) }; градиентът е грешен без предупреждение: { COUNT($silently_wrong) }.
claim-saved-tensors-no-backward-no-update = Параметри без градиент: { COUNT($without_gradient) } от { COUNT($parameters) }; най-голяма промяна на тегло от стъпката на оптимизатора: { NUM($observed) }.

claim-replay-forward-runs-again = Извиквания на слоеве в една стъпка: { COUNT($plain) } без контролни точки; с тях { COUNT($in_forward) } в правото и { COUNT($in_backward) } в обратното преминаване, общо { COUNT($observed) }.
claim-replay-every-parameter-has-a-gradient = Параметри с липсващ или различен градиент: { COUNT($observed) } от { COUNT($parameters) }.
claim-replay-weights-intact = Тензори с тегла, променени от право и обратно преминаване: { COUNT($observed) } от { COUNT($weights) }.
claim-replay-replay-needs-training = Повторени извиквания: { COUNT($observed) } без градиенти, { COUNT($training_replays) } при обучение.

claim-which-api-checkpoint-lowers = Съхранени активации: { BYTES($expected) } без torch.utils.checkpoint, { BYTES($observed) } с него; пик: { BYTES($peak_plain) } и { BYTES($peak_checkpointed) }.
claim-which-api-optimizer-leaves-activations = Със SGD съхранените активации се променят с { EXACT($observed) }; състоянието на оптимизатора е { BYTES($state_sgd) } срещу { BYTES($state_adamw) } при AdamW.
claim-which-api-dropout-adds-bytes = Съхранени активации: { BYTES($expected) } без слоеве Dropout, { BYTES($observed) } с тях.
claim-which-api-allocated-unchanged = Изпразването на кеша освобождава { EXACT($observed) } от заетите { BYTES($allocated) } и { BYTES($reserved_freed) }, които са били само запазени.

claim-batchnorm-twice-statistics-move-twice = При momentum { NUM($at) } плъзгащата се средна се премества { TIMES($observed) } спрямо стъпка без контролна точка; формулата дава { TIMES($expected) }.

claim-optimizer-state-moment-bytes = { WORD($optimizer, "optimizer") } пази { NUM($observed) } B моменти на параметър; очаквано: { NUM($expected) } B.
claim-optimizer-state-momentum-bytes = SGD с momentum пази { NUM($observed) } B моменти на параметър с контролни точки и { NUM($plain) } B без тях.
claim-optimizer-state-state-linear-in-depth = От { COUNT($first) } до { NOUN($last, "layer") } състоянието на оптимизатора нараства { TIMES($observed) }, до { BYTES($bytes) }.
claim-optimizer-state-state-equal-in-both-arms = Състояние на оптимизатора без контролни точки: { BYTES($moments) }; най-голяма разлика с тях: { EXACT($observed) }.
claim-optimizer-state-state-types-equal = Състояние на оптимизатора за един параметър: { NUM($expected) } B без контролни точки ({ $types_plain }), { NUM($observed) } B с тях ({ $types_checkpointed }).
claim-optimizer-state-steps-run-and-weights-equal = След { NOUN($steps, "training-step") } най-голямата разлика в теглата е { NUM($observed) }; { $losses_equal ->
    [yes] всички загуби са еднакви.
   *[other] не всички загуби са еднакви.
}

claim-offload-resident-falls = От { BYTES($stored) } съхранени активации в паметта остават { BYTES($resident) }: с { PERCENT($observed) } по-малко.
claim-offload-flops-equal = FLOPs на стъпка: { FLOPS($expected) } без изнасяне, { FLOPS($observed) } с него.
claim-offload-gradients-equal = Най-голяма разлика в градиентите: { NUM($observed) }.
claim-offload-stored-proportional-to-batch = При партида { COUNT($at) } съхранените активации заемат { EXACT($observed) }; пропорционално на най-малката партида са { EXACT($expected) }.
claim-offload-norm-share-is-small = Нормализиращите слоеве държат { PERCENT($observed) } от съхраненото в един GPT блок; формулата дава { PERCENT($expected) }. Без тях изходът се променя с { PERCENT($output_change) }.

claim-overhead-flop-ratio-varies = FLOPs на стъпка с контролни точки при { COUNT($cells) } съчетания: от { RATIO($least) } ({ CELL($least_cell) }) до { RATIO($most) } ({ CELL($most_cell) }).
claim-overhead-time-ratios-differ = Време на стъпка с контролни точки, 95% интервали: { CELL($low_cell) } от { TIMES($low_from) } до { TIMES($low_to) }; { CELL($high_cell) } от { TIMES($high_from) } до { TIMES($high_to) }.
claim-overhead-dataset-length-irrelevant = Със { COUNT($examples_few) } и с { NOUN($examples_many, "example") } една стъпка съхранява { EXACT($stored_few) } и { EXACT($stored_many) } при { FLOPS($flops_few) } и { FLOPS($flops_many) }.
claim-overhead-classes-add-bytes = Съхранено: { BYTES($expected) } при { NOUN($classes_few, "class") }, { BYTES($observed) } при { NOUN($classes_many, "class") }.

claim-placement-bisection-peak = При { NOUN($at, "layer") } пикът с вложени контролни точки е { EXACT($observed) }; формулата дава { EXACT($expected) }.
claim-placement-never-better-than-exhaustive = Пикът на плана спрямо най-ниския от всички опити (разположения: { COUNT($placements) }): от { RATIO($observed) } до { RATIO($largest_ratio) }.

claim-combine-sharded-half = При { NOUN($ranks, "process") } всеки държи { BYTES($states_sharded) } от общо { BYTES($states_whole) } параметри, градиенти и състояние на оптимизатора: { PERCENT($observed) }.
claim-combine-collective-bytes-equal = Байтове, предадени между процесите в една стъпка: { EXACT($expected) } без контролни точки, { EXACT($observed) } с тях.
claim-combine-stored-lower = Съхранени активации при разделяне и bf16: { BYTES($expected) } без контролни точки, { BYTES($observed) } с тях.

claim-noise-floor = Две обикновени изпълнения се различават с { NUM($noise_floor) }.
claim-undecided-simulated = Не е решено: в симулация тензорите имат форми, но не и стойности.
claim-undecided-kernel_keeps_no_count = Не е решено: тази машина не брои записаните байтове.
claim-undecided-driver_writes_too = Не е решено: при GPU пише и драйверът, затова броячът на процеса не казва нищо.
claim-undecided-clock_stood_still = Не е решено: часовникът на тази машина стоеше на едно място.
