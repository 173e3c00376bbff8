"""Celery's own settings for the Django side, in Celery's own names."""

from django.conf import settings

broker_url = settings.TASK_BROKER_URL
broker_transport_options = {
    "global_keyprefix": settings.TASK_KEY_PREFIX,
    "visibility_timeout": 3600,
    "socket_connect_timeout": 3.0,
    "socket_timeout": 10.0,
}
broker_connection_retry_on_startup = True
broker_connection_max_retries = None
accept_content = ["json"]
task_serializer = "json"
task_default_queue = "chores"
task_ignore_result = True
task_acks_late = True
worker_prefetch_multiplier = 1
worker_enable_remote_control = False
worker_send_task_events = False
timezone = "UTC"
