# What the learner reads beside a measurement: its state, its age, why there is none.
state-waiting = Измерването се подготвя.
state-waiting-queued = Измерването чака; пред него: { COUNT($position) }.
state-running = Измерването тече.
state-delayed = В момента няма достъпна машина за измерване. Отговорът ви е записан и оценен; измерването ще последва.
state-measured = Измерено за този отговор на { $device }.
state-measured-what-if = Измерено с вашите числа на { $device }.
state-reused = Измерено { $age } на { $device } и използвано повторно: кодът, числата и версиите са същите.
state-simulated = Симулирано: формите и времето на живот на всички тензори са точни, но не е заемана памет.
state-failed = Измерването не успя. { $why }
state-failed-partial = Измерването не успя. { $why } Показано е измереното дотогава.
state-not_run = Нищо не беше измерено. { $why }

age-seconds = преди по-малко от минута
age-minutes = { $number ->
    [one] преди { COUNT($number) } минута
   *[other] преди { COUNT($number) } минути
}
age-hours = { $number ->
    [one] преди { COUNT($number) } час
   *[other] преди { COUNT($number) } часа
}
age-days = { $number ->
    [one] преди { COUNT($number) } ден
   *[other] преди { COUNT($number) } дни
}
age-date = на { $date } (UTC)

device-cpu = CPU
device-cuda = GPU

reason-unknown = Причината не е известна.
reason-out_of_memory = Нужна беше повече памет, отколкото е позволено на едно изпълнение.
reason-timeout = Отне повече време, отколкото е позволено на едно изпълнение.
reason-cpu_limit = Използва повече процесорно време, отколкото е позволено на едно изпълнение.
reason-killed = Процесът беше прекъснат отвън.
reason-non_finite = Едно от числата беше безкрайно или изобщо не беше число.
reason-report_too_large = Отчетът беше твърде голям.
reason-invalid_parameters = Параметрите не са позволени.
reason-unknown_experiment = Машината за измерване не познава този експеримент.
reason-unsupported_device = Машината за измерване няма подходящо устройство.
reason-too_late = Никоя машина за измерване не го пое навреме.
reason-invalid_setup = Постановката не може да се повтори: преизчислените стойности имат друга форма от съхранените.
reason-output_limit = Отпечата повече, отколкото е позволено на едно изпълнение.
reason-crashed = Процесът се срина.
reason-queue_deadline = Никоя машина за измерване не го пое преди крайния срок.
reason-worker_lost = Машината за измерване се губеше по време на изпълнението при всеки опит.
reason-no_gpu_worker = Нужно е CUDA устройство, а няма машина с такова.
reason-experiment_not_built = Експериментът за този отговор още не съществува.
reason-not_measurable = В този отговор няма нищо, което едно измерване би могло да покаже; отговаря му обяснението.
reason-no_experiment = Нямаме експеримент, който да измери това; отговорът е в обяснението.
reason-needs_cuda = Нужно е CUDA устройство, а няма свързано.
reason-answered_right = Отговорът ви е верен. Можете да поискате доказателството.
reason-no_evidence = Към този въпрос няма експеримент.

verdict-holds = потвърдено
verdict-fails = не се потвърди
verdict-undecided = нерешено

relation-equal = равно
relation-less = по-малко
relation-greater = по-голямо
relation-at_least = поне
relation-at_most = най-много
relation-differs = различно
relation-within = в рамките на допуска
