"""Every path of the API. An address has one form: no trailing slash, ids in lower case."""

from django.urls import include, path, register_converter
from django.views.decorators.csrf import csrf_exempt

from assessment.api import accounts, authoring, courses, docs, evidence, health, responses, sessions
from assessment.api.converters import (
    CanonicalNumber,
    CanonicalSlug,
    CanonicalUUID,
    FigureFormat,
    FigureName,
)

register_converter(CanonicalUUID, "id")
register_converter(CanonicalSlug, "handle")
register_converter(CanonicalNumber, "number")
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
    path("activities", sessions.ActivitiesView.as_view()),
    path("activities/<id:activity_id>", sessions.ActivityView.as_view()),
    path("sessions", sessions.SessionsView.as_view()),
    path("sessions/<id:session_id>", sessions.SessionView.as_view()),
    path("sessions/<id:session_id>/items", sessions.ItemsView.as_view()),
    path("sessions/<id:session_id>/responses", responses.ResponsesView.as_view()),
    path(
        "sessions/<id:session_id>/predictions/<id:administration_id>",
        responses.PredictionView.as_view(),
    ),
    path("sessions/<id:session_id>/finish", sessions.FinishView.as_view()),
    path("sessions/<id:session_id>/handoff", sessions.HandoffView.as_view()),
    path("sessions/<id:session_id>/feedback", evidence.FeedbackView.as_view()),
    path("sessions/<id:session_id>/demonstrations", evidence.EvidenceView.as_view()),
    path("handoffs", sessions.HandoffUseView.as_view()),
    path("demonstrations/<id:demonstration_id>", evidence.DemonstrationView.as_view()),
    path("demonstrations/<id:demonstration_id>/seen", evidence.SeenView.as_view()),
    path("demonstrations/<id:demonstration_id>/trace", evidence.TraceView.as_view()),
    path("demonstrations/<id:demonstration_id>/what-if", evidence.WhatIfView.as_view()),
    path(
        "demonstrations/<id:demonstration_id>/figures/<figure:name>.<picture:kind>",
        evidence.FigureView.as_view(),
    ),
    path("bank/drafts", authoring.DraftsView.as_view()),
    path("bank/drafts/<handle:slug>", authoring.DraftView.as_view()),
    path("bank/drafts/<handle:slug>/publish", authoring.PublishDraftView.as_view()),
    path("bank/items/<handle:slug>/retire", authoring.RetireItemView.as_view()),
    path("bank/versions/<number:old>/changes/<number:new>", authoring.ChangesView.as_view()),
    path("calibrations", authoring.CalibrationsView.as_view()),
    path("calibrations/<id:proposal_id>", authoring.CalibrationView.as_view()),
    path("calibrations/<id:proposal_id>/publish", authoring.PublishCalibrationView.as_view()),
    path("courses/<id:course_id>/sessions", courses.CourseSessionsView.as_view()),
    path("courses/<id:course_id>/runs", courses.CourseRunsView.as_view()),
    *probes,
]

urlpatterns = [
    path("api/v1/", include(version_1)),
    path("", include(short_probes)),
]
