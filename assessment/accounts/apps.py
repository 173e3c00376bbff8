from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "assessment.accounts"
    label = "accounts"
