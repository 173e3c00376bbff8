# What the learner reads beside a measurement: its state, its age, why there is none.
state-waiting = Ñu ngi waajal natt gi.
state-waiting-queued = Natt gi mu ngi xaar; yi ko jiitu: { COUNT($position) }.
state-running = Natt gi mu ngi dox.
state-delayed = Amul benn masin buy natt bu ñu mëna jot léegi. Sa tontu denc nañu ko te jox nañu ko ay poñ; natt gi dina topp.
state-measured = Natt nañu ko ngir tontu bii ci { $device }.
state-measured-what-if = Natt nañu ko ak say lim ci { $device }.
state-reused = Natt nañu ko { $age } ci { $device }, ñu jëfandikoowaat ko: code bi, lim yi ak version yi soppikuwuñu.
state-simulated = Simulé la: forme yi ak diirub tenseur yépp dëgg lañu, waaye jëluñu benn mémoire.
state-failed = Natt gi antuwul. { $why }
state-failed-partial = Natt gi antuwul. { $why } Li ñu nattoon balaa loolu ñu ngi koy wane.
state-not_run = Nattuñu dara. { $why }

age-seconds = balaa benn minute
age-minutes = { COUNT($number) } minute ci ginaaw
age-hours = { COUNT($number) } waxtu ci ginaaw
age-days = { COUNT($number) } fan ci ginaaw
age-date = ci { $date } (UTC)

device-cpu = CPU
device-cuda = GPU

reason-unknown = Xamuñu lu ko waral.
reason-out_of_memory = Soxla woon na mémoire bu ëpp li ñu may.
reason-timeout = Yàgg na lu ëpp li ñu may.
reason-cpu_limit = Jëfandikoo na waxtu processeur lu ëpp li ñu may.
reason-killed = Dañu ko dakkal ci biti.
reason-non_finite = Benn ci lim yi amul àpp walla du lim.
reason-report_too_large = Rapport bi dafa réy lool.
reason-invalid_parameters = Mayuñu paramètre yooyu.
reason-unknown_experiment = Masin buy natt bi xamul experience bii.
reason-unsupported_device = Masin buy natt bi amul appareil bi ko war.
reason-too_late = Benn masin jëlu ko ci waxtu wi.
reason-invalid_setup = Mënuñu ko xaymawaat: li ñu xaymawaat am na forme bu wuute ak li ñu dencoon.
reason-output_limit = Bind na lu ëpp li ñu may.
reason-crashed = Dafa daanu.
reason-queue_deadline = Benn masin jëlu ko balaa àpp bi.
reason-worker_lost = Masin buy natt bi réer na bi muy dox, saa su ñu ko jéemee.
reason-no_gpu_worker = Soxla na appareil CUDA, te amul masin bu ko am.
reason-experiment_not_built = Experience bu tontu bii amagul.
reason-not_measurable = Amul dara ci tontu bii lu ñu mëna natt; leeral gi koy tontu.
reason-no_experiment = Amunu experience bu koy natt; leeral gi koy tontu.
reason-needs_cuda = Soxla na appareil CUDA, te kenn lëkkalewul.
reason-answered_right = Sa tontu dëgg la. Mën nga laaj firnde gi.
reason-no_evidence = Amul experience bu bokk ci laaj bii.

verdict-holds = dëgg la
verdict-fails = du dëgg
verdict-undecided = leeragul

relation-equal = yem
relation-less = gëna néew
relation-greater = gëna bari
relation-at_least = lu néew néew
relation-at_most = lu bari bari
relation-differs = wuute
relation-within = ci biir tolérance bi
