from django.apps import AppConfig


class AnalyticsConfig(AppConfig):
    name = "assessment.analytics"
    label = "analytics"
