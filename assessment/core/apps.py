from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "assessment.core"
    label = "core"
