from django.apps import AppConfig


class DeliveryConfig(AppConfig):
    name = "assessment.delivery"
    label = "delivery"
