# Numbers with their nouns, for NOUN: the form follows the number.
noun-training-step = { $number ->
    [one] { COUNT($number) } training step
   *[other] { COUNT($number) } training steps
}
noun-step = { $number ->
    [one] { COUNT($number) } step
   *[other] { COUNT($number) } steps
}
noun-layer = { $number ->
    [one] { COUNT($number) } layer
   *[other] { COUNT($number) } layers
}
noun-block = { $number ->
    [one] { COUNT($number) } block
   *[other] { COUNT($number) } blocks
}
noun-segment = { $number ->
    [one] { COUNT($number) } segment
   *[other] { COUNT($number) } segments
}
noun-activation = { $number ->
    [one] { COUNT($number) } activation
   *[other] { COUNT($number) } activations
}
noun-call = { $number ->
    [one] { COUNT($number) } call
   *[other] { COUNT($number) } calls
}
noun-time = { $number ->
    [one] once
   *[other] { COUNT($number) } times
}
noun-write = { $number ->
    [one] { COUNT($number) } write
   *[other] { COUNT($number) } writes
}
noun-update = { $number ->
    [one] { COUNT($number) } update
   *[other] { COUNT($number) } updates
}
noun-class = { $number ->
    [one] { COUNT($number) } class
   *[other] { COUNT($number) } classes
}
noun-process = { $number ->
    [one] { COUNT($number) } process
   *[other] { COUNT($number) } processes
}
noun-placement = { $number ->
    [one] { COUNT($number) } placement
   *[other] { COUNT($number) } placements
}
noun-example = { $number ->
    [one] { COUNT($number) } labelled example
   *[other] { COUNT($number) } labelled examples
}
noun-parameter = { $number ->
    [one] { COUNT($number) } parameter
   *[other] { COUNT($number) } parameters
}
