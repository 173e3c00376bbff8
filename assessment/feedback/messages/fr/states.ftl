# What the learner reads beside a measurement: its state, its age, why there is none.
state-waiting = La mesure se prépare.
state-waiting-queued = La mesure attend ; devant elle : { COUNT($position) }.
state-running = La mesure est en cours.
state-delayed = Aucune machine de mesure n'est joignable pour l'instant. Votre réponse est enregistrée et notée ; la mesure suivra.
state-measured = Mesuré pour cette réponse sur { $device }.
state-measured-what-if = Mesuré avec vos nombres sur { $device }.
state-reused = Mesuré { $age } sur { $device } et réutilisé : code, nombres et versions sont les mêmes.
state-simulated = Simulé : les formes et les durées de vie de tous les tenseurs sont exactes, mais aucune mémoire n'a été allouée.
state-failed = La mesure a échoué. { $why }
state-failed-partial = La mesure a échoué. { $why } Ce qui avait été mesuré avant est montré.
state-not_run = Rien n'a été mesuré. { $why }

age-seconds = il y a moins d'une minute
age-minutes = { $number ->
    [one] il y a { COUNT($number) } minute
   *[other] il y a { COUNT($number) } minutes
}
age-hours = { $number ->
    [one] il y a { COUNT($number) } heure
   *[other] il y a { COUNT($number) } heures
}
age-days = { $number ->
    [one] il y a { COUNT($number) } jour
   *[other] il y a { COUNT($number) } jours
}
age-date = le { $date } (UTC)

device-cpu = CPU
device-cuda = GPU

reason-unknown = La raison n'est pas connue.
reason-out_of_memory = L'exécution a demandé plus de mémoire que permis.
reason-timeout = L'exécution a duré plus longtemps que permis.
reason-cpu_limit = L'exécution a utilisé plus de temps de processeur que permis.
reason-killed = Le processus a été arrêté de l'extérieur.
reason-non_finite = Un des nombres était infini ou n'était pas un nombre.
reason-report_too_large = Le rapport était trop grand.
reason-invalid_parameters = Les paramètres ne sont pas permis.
reason-unknown_experiment = La machine de mesure ne connaît pas cette expérience.
reason-unsupported_device = La machine de mesure n'a pas l'appareil qu'il faut.
reason-too_late = Aucune machine de mesure ne l'a prise à temps.
reason-invalid_setup = Ce montage ne peut pas être rejoué : les valeurs recalculées ont une autre forme que celles conservées.
reason-output_limit = L'exécution a écrit plus que permis.
reason-crashed = Le processus a planté.
reason-queue_deadline = Aucune machine de mesure ne l'a prise avant l'échéance.
reason-worker_lost = La machine de mesure a été perdue pendant l'exécution, à chaque essai.
reason-no_gpu_worker = Il faut un appareil CUDA, et aucune machine n'en a.
reason-experiment_not_built = L'expérience pour cette réponse n'existe pas encore.
reason-not_measurable = Cette réponse ne contient rien qu'une mesure puisse montrer ; l'explication y répond.
reason-no_experiment = Aucune de nos expériences ne mesure cela ; l'explication y répond.
reason-needs_cuda = Il faut un appareil CUDA, et aucun n'est connecté.
reason-answered_right = Votre réponse est juste. Vous pouvez demander la preuve.
reason-no_evidence = Aucune expérience n'appartient à cette question.

verdict-holds = confirmé
verdict-fails = non confirmé
verdict-undecided = indécis

relation-equal = égal
relation-less = moins
relation-greater = plus
relation-at_least = au moins
relation-at_most = au plus
relation-differs = différent
relation-within = dans la tolérance
