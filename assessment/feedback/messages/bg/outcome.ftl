# What a finished session shows: never a bare theta, always an interval.
outcome-inside = Който отговаря като вас, би отговорил вярно на между { COUNT($low) } и { COUNT($high) } от { COUNT($num_items) } въпроса в този тест.
outcome-at-or-below = Отговорите ви са в лесния край на този тест или под него: най-много около { COUNT($high) } от { COUNT($num_items) } въпроса.
outcome-at-or-above = Отговорите ви са в трудния край на този тест или над него: поне около { COUNT($low) } от { COUNT($num_items) } въпроса.
outcome-provisional = Трудността на тези въпроси засега е преценка на авторите им; интервалът е предварителен.

mastery-not-tested = По тази тема не беше зададен въпрос.
mastery-likely = Отговорите ви показват, че я владеете.
mastery-unlikely = Струва си да я прегледате отново.
mastery-open = Отговорите са твърде малко, за да се прецени.

belief-chosen-once = Избрано веднъж
belief-chosen-again = Избрано отново
belief-later-right = По-късно отговорено вярно
belief-not-chosen = Проверено, не е избрано
belief-not-tested = Не е проверено

concept-trade-off = Какво срещу какво се разменя
concept-saved-tensors = Съхранени тензори
concept-placement = Разположение
concept-overhead = Допълнителен разход
concept-selective = Избирателно преизчисляване
concept-offload = Изнасяне (offload)
concept-randomness = Случайност
concept-optimizer-state = Състояние на оптимизатора
concept-replay = Повторно изпълнение
concept-combination = Съчетаване на техники
concept-api = API
concept-normalisation = Нормализация
concept-budget = Бюджет за памет
concept-measuring = Измерване на паметта
