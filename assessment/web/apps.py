from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "assessment.web"
    label = "web"
