"""Every path of the service."""

from django.urls import include, path

urlpatterns = [
    path("", include("assessment.api.urls")),
    path("", include("assessment.web.urls")),
]
handler400 = "assessment.api.errors.bad_request"
handler403 = "assessment.api.errors.forbidden"
handler404 = "assessment.api.errors.not_found"
handler500 = "assessment.api.errors.server_error"
