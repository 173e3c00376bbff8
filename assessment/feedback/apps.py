from django.apps import AppConfig


class FeedbackConfig(AppConfig):
    name = "assessment.feedback"
    label = "feedback"
