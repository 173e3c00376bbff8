from django.apps import AppConfig


class ExperimentsConfig(AppConfig):
    name = "assessment.experiments"
    label = "experiments"
