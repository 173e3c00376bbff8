"""Every path of the API. An address has one form: no trailing slash, ids in lower case."""

from django.urls import include, path, register_converter
from django.views.decorators.csrf import csrf_exempt

from assessment.api import accounts, docs, health
from assessment.api.converters import CanonicalUUID, FigureFormat, FigureName

register_converter(CanonicalUUID, "id")
register_converter(FigureName, "figure")
register_converter(FigureFormat, "picture")

probes = [
    path("healthz", health.HealthView.as_view()),
    path("readyz", health.ReadinessView.as_view()),
    path("metrics", health.MetricsView.as_view()),
]

short_probes = [
    path("healthz", health.HealthView.as_view(schema=None)),
    path("readyz", health.ReadinessView.as_view(schema=None)),
    path("metrics", health.MetricsView.as_view()),
]
# Where orchestrators look for them; described once, under the version.

version_1 = [
    path("", docs.RootView.as_view()),
    path("schema", docs.SchemaView.as_view()),
    path("docs", docs.DocsView.as_view()),
    path("oauth/token", csrf_exempt(accounts.OAuthTokenView.as_view())),
    path("tokens", accounts.TokensView.as_view()),
    path("guests", accounts.GuestsView.as_view()),
    path("guests/renew", accounts.GuestRenewalView.as_view()),
    *probes,
]

urlpatterns = [
    path("api/v1/", include(version_1)),
    path("", include(short_probes)),
]
