# Numbers with their nouns, for NOUN: the form follows the number.
noun-training-step = { $number ->
    [one] { COUNT($number) } стъпка на обучението
   *[other] { COUNT($number) } стъпки на обучението
}
noun-step = { $number ->
    [one] { COUNT($number) } стъпка
   *[other] { COUNT($number) } стъпки
}
noun-layer = { $number ->
    [one] { COUNT($number) } слой
   *[other] { COUNT($number) } слоя
}
noun-block = { $number ->
    [one] { COUNT($number) } блок
   *[other] { COUNT($number) } блока
}
noun-segment = { $number ->
    [one] { COUNT($number) } сегмент
   *[other] { COUNT($number) } сегмента
}
noun-activation = { $number ->
    [one] { COUNT($number) } активация
   *[other] { COUNT($number) } активации
}
noun-call = { $number ->
    [one] { COUNT($number) } извикване
   *[other] { COUNT($number) } извиквания
}
noun-time = { $number ->
    [one] веднъж
   *[other] { COUNT($number) } пъти
}
noun-write = { $number ->
    [one] { COUNT($number) } запис
   *[other] { COUNT($number) } записа
}
noun-update = { $number ->
    [one] { COUNT($number) } обновяване
   *[other] { COUNT($number) } обновявания
}
noun-class = { $number ->
    [one] { COUNT($number) } клас
   *[other] { COUNT($number) } класа
}
noun-process = { $number ->
    [one] { COUNT($number) } процес
   *[other] { COUNT($number) } процеса
}
noun-placement = { $number ->
    [one] { COUNT($number) } разположение
   *[other] { COUNT($number) } разположения
}
noun-example = { $number ->
    [one] { COUNT($number) } етикетиран пример
   *[other] { COUNT($number) } етикетирани примера
}
noun-parameter = { $number ->
    [one] { COUNT($number) } параметър
   *[other] { COUNT($number) } параметъра
}
