from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "assessment.scoring"
    label = "scoring"
