from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "assessment.api"
    label = "api"
