"""Pages for people. What they show of quizzes comes to the browser through the API."""

from django.urls import path

from assessment.web import views

urlpatterns = [
    path("", views.show_home, name="home"),
    path("learn/", views.show_client, name="learn"),
    path("learn/worker.js", views.serve_worker, name="worker"),
    path("vega/<str:name>.js", views.serve_vega, name="vega"),
    path("assets/<str:digest>/<str:name>", views.serve_asset, name="asset"),
]
