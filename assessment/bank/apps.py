from django.apps import AppConfig


class BankConfig(AppConfig):
    name = "assessment.bank"
    label = "bank"
