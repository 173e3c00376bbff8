# Titles, notes, axes and legends of the figures, their text alternatives and table headings.
unknown = неизвестно
unknown-not_measured_for_this_arm = неизвестно (не е измервано за този вариант)
unknown-simulated = неизвестно (симулация: нищо не е заемано)
unknown-profiler_saw_nothing = неизвестно (профилаторът не видя нищо)

figure-memory-title = Паметта на една стъпка на обучението, оператор по оператор
figure-memory-note = Байтове над параметрите, градиентите и състоянието на оптимизатора. Пунктир: начало на обратното преминаване. Точка: пикът.
figure-memory-alt = Заетата памет по операторите на една стъпка на обучението.
figure-memory-alt-arm = { $arm }: в края на правото преминаване са съхранени { BYTES($stored) }, пикът е { BYTES($peak) }.
figure-memory-alt-peak = { $arm }: пикът е { BYTES($peak) }.

figure-scaling-title = { $is_simulated ->
    [yes] Нарастването: симулация и формула
   *[no] Нарастването: измерване и формула
}
figure-scaling-note = { $is_simulated ->
    [yes] Точки: симулирано.
   *[no] Точки: измерено.
} Линии: формулата.
figure-scaling-note-residual = Най-голяма разлика: { $residual }.
figure-scaling-note-points = { $is_simulated ->
    [yes] Точки: симулирано.
   *[no] Точки: измерено.
}
figure-scaling-alt = Нарастване по две логаритмични оси.
figure-scaling-alt-series = { $series }: от { $first_y } при { $x_name } { NUM($first_x) } до { $last_y } при { NUM($last_x) }.

figure-pareto-title = Какво пести всеки вариант и какво струва
figure-pareto-note = По-наляво: по-малко изчисления. По-надолу: по-малко памет.
figure-pareto-note-front = Сива линия: варианти, които никой друг не превъзхожда.
figure-pareto-alt = Пикова памет спрямо изчисления.
figure-pareto-alt-arm = { $arm }: пик { BYTES($peak) }, FLOPs { RATIO($flop_ratio) }.
figure-pareto-alt-best = Непревъзхождани: { $arms }.

figure-stack-title = От какво се състои паметта на една стъпка
figure-stack-note = Активации: техният пик над останалите три.
figure-stack-alt = Паметта на една стъпка на обучението по видове.
figure-stack-alt-arm = { $arm }: параметри { BYTES($parameters) }, градиенти { BYTES($gradients) }, състояние на оптимизатора { BYTES($optimizer_state) }, активации в пика { BYTES($activations) }.

axis-operator = номер на оператора
axis-live-memory = заета памет, { $unit }
axis-peak-memory = пикова памет, { $unit }
axis-memory = памет, { $unit }
axis-flop-ratio = FLOPs, спрямо обикновеното обучение
legend-exponent = { $series } (степен { NUM($exponent, digits: 3) })

column-number = №
column-arm = вариант
column-stored = съхранени за обратното преминаване
column-peak = пик
column-total-peak = пик с параметри, градиенти и състояние на оптимизатора
column-allocator-peak = пик на алокатора
column-measured = { $is_simulated ->
    [yes] симулирано
   *[no] измерено
}
column-formula = формула
column-flop-ratio = FLOPs спрямо обикновените
column-sum = общо

part-parameters = параметри
part-gradients = градиенти
part-optimizer-state = състояние на оптимизатора
part-activations = активации (пик)

unit-byte = байтове
unit-flop = FLOPs
unit-1 = отношение
unit-count = брой
unit-s = секунди
