from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "assessment.ops"
    label = "ops"
