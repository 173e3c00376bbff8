"""docker-compose.yml and its Dockerfiles, as far as they can be checked without an engine."""

import importlib.resources
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from jsonschema.validators import validator_for

from launcher.layout import ROOT, find_layout
from launcher.valkey import WORKER_RIGHTS

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
BUILT = {name: one for name, one in SERVICES.items() if "build" in one}
EXTERNAL_PROGRAMS = {"sh", "pg_isready", "valkey-cli", "valkey-server"}
# Programs of the published images and of Debian.


def list_commands(service: dict[str, Any]) -> list[list[str]]:
    """Command and health check as lists of words."""
    command = service.get("command", [])
    check = service["healthcheck"]["test"]
    return [one for one in (command, check[1:] if check[0] == "CMD" else []) if one]


def read_dockerfile_command(service: dict[str, Any]) -> list[str]:
    text = (ROOT / service["build"]["dockerfile"]).read_text()
    command: list[str] = json.loads(re.findall(r"^CMD (.*)$", text, re.M)[-1])
    return command


def test_it_follows_the_published_schema() -> None:
    package = importlib.resources.files("check_jsonschema") / "builtin_schemas" / "vendor"
    schema = json.loads((package / "compose-spec.json").read_text(encoding="utf-8"))
    validator = validator_for(schema, default=Draft7Validator)(schema)
    assert [error.message for error in validator.iter_errors(COMPOSE)] == []
    assert list(validator.iter_errors({"services": {"web": {"imagee": "x"}}}))


def test_it_starts_every_process_of_the_architecture() -> None:
    wanted = {"web", "conductor", "task-worker", "gpu-worker", "gpu-worker-cuda"}
    assert wanted | {"postgres", "valkey"} <= set(SERVICES)
    assert SERVICES["gpu-worker-cuda"]["profiles"] == ["cuda"]


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_image_is_pinned(name: str) -> None:
    tag = SERVICES[name]["image"].partition(":")[2]
    assert re.match(r"\d+\.\d+\.?\d*", tag), f"{name} runs {SERVICES[name]['image']}"


def test_every_base_image_is_pinned() -> None:
    for dockerfile in ("Dockerfile.web", "Dockerfile.worker"):
        for image in re.findall(r"^FROM (\S+)", (ROOT / dockerfile).read_text(), re.M):
            assert re.search(r":\d+\.\d+\.\d+-", image), f"{dockerfile} begins with {image}"


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_service_has_a_health_check(name: str) -> None:
    assert SERVICES[name]["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_no_service_may_more_than_it_needs(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service
    assert service["mem_limit"]
    assert service["pids_limit"]


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_no_service_runs_as_root(name: str) -> None:
    user = SERVICES[name].get("user")
    if name in BUILT:
        text = (ROOT / BUILT[name]["build"]["dockerfile"]).read_text()
        user = re.findall(r"^USER (\S+)", text, re.M)[-1]
    assert user not in (None, "root", "0")


def test_a_gpu_worker_is_never_built_on_an_index_of_cpu_builds() -> None:
    assert "TORCH_INDEX_URL" in SERVICES["gpu-worker"]["build"]["args"]
    assert "args" not in SERVICES["gpu-worker-cuda"]["build"]


def test_every_variable_that_may_be_given_is_told_at_the_top() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    told = set(re.findall(r"[A-Z]+(?:_[A-Z]+)+", text.partition("\nname:")[0]))
    used = set(re.findall(r"\$\{([A-Z_]+)", text.partition("\nname:")[2]))
    assert used == told


@pytest.mark.parametrize("name", sorted(BUILT))
def test_every_command_exists(name: str) -> None:
    commands = [*list_commands(BUILT[name]), read_dockerfile_command(BUILT[name])]
    for command in commands:
        program = command[0]
        in_venv = (find_layout().venv / "bin" / program).exists()
        assert in_venv or program in EXTERNAL_PROGRAMS, f"{name} starts {program}"
        for line in split_shell(command):
            check_line(line, name=name)


def split_shell(command: list[str]) -> list[list[str]]:
    if command[:2] == ["sh", "-c"]:
        return [part.split() for part in command[2].split("&&")]
    return [command]


def check_line(line: list[str], *, name: str) -> None:
    """The module, application or management command that a line names is there."""
    match line:
        case ["python", "manage.py", command, *_]:
            known = {path.stem for path in ROOT.glob("assessment/*/management/commands/*.py")}
            assert command in known | {"migrate"}, f"{name} runs manage.py {command}"
        case ["python", "-m", module, *_]:
            assert (ROOT / f"{module.replace('.', '/')}.py").exists(), f"{name} runs {module}"
        case ["celery", "-A", application, *_]:
            path = ROOT / f"{application.replace('.', '/')}.py"
            assert re.search(r"^app = Celery", path.read_text(), re.M)
        case ["granian", *_]:
            assert "assessment.wsgi:application" in line


@pytest.mark.parametrize("name", sorted(BUILT))
def test_every_variable_is_known_to_its_side(name: str) -> None:
    is_worker = BUILT[name]["build"]["dockerfile"] == "Dockerfile.worker"
    known = read_worker_variables() if is_worker else read_settings_variables()
    assert set(BUILT[name]["environment"]) <= known


def read_settings_variables() -> set[str]:
    text = (ROOT / "assessment" / "settings.py").read_text(encoding="utf-8")
    return set(re.findall(r'(?:env\.|read_)\w+\(\s*"([A-Z_]+)"', text))


def read_worker_variables() -> set[str]:
    text = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("gpu_worker/*.py"))
    return set(re.findall(r'environ(?:\.get\(|\[)\s*"([A-Z_]+)"', text))


def test_workers_reach_neither_database_nor_secrets() -> None:
    for name, service in SERVICES.items():
        if service.get("build", {}).get("dockerfile") == "Dockerfile.worker":
            assert service["networks"] == ["workers"], name
            given = json.dumps(service["environment"])
            assert not re.findall("DATABASE|SECRET|APP_PASSWORD", given), name
    assert SERVICES["postgres"]["networks"] == ["inside"]


def test_the_embedded_worker_account_has_the_same_rights() -> None:
    assert WORKER_RIGHTS in SERVICES["valkey"]["command"][2]


@pytest.mark.parametrize("dockerfile", ["Dockerfile.web", "Dockerfile.worker"])
def test_everything_copied_is_there(dockerfile: str) -> None:
    text = (ROOT / dockerfile).read_text()
    for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.M):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), f"{dockerfile} copies {source}"


def test_the_web_image_holds_no_torch_and_the_worker_image_no_django() -> None:
    assert not re.search(r"^torch==", (ROOT / "requirements/web.lock").read_text(), re.M)
    assert not re.search(r"^django", (ROOT / "requirements/worker.lock").read_text(), re.M)
    assert "torch" not in (ROOT / "Dockerfile.web").read_text().replace("No torch.", "")


@pytest.mark.parametrize("lock", sorted(path.name for path in ROOT.glob("requirements/*.lock")))
def test_locks_are_hashed_and_name_no_host(lock: str) -> None:
    text = (ROOT / "requirements" / lock).read_text()
    entries = re.findall(r"^[a-z0-9][^\n]*==(?:[^\n]*\\\n)*[^\n]*", text, re.M)
    assert entries
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text


@pytest.mark.parametrize("name", ["web", "worker", "servers", "dev", "bench", "uv"])
def test_locks_hold_what_is_asked_for(name: str) -> None:
    wanted = re.findall(
        r"^([\w.-]+(?:\[\w+\])?)==(\S+)", (ROOT / f"requirements/{name}.in").read_text(), re.M
    )
    locked = (ROOT / f"requirements/{name}.lock").read_text().lower().replace("_", "-")
    for package, version in wanted:
        plain = re.escape(package.partition("[")[0].lower().replace("_", "-").replace(".", "-"))
        assert re.search(rf"^{plain}(\[\w+\])?=={re.escape(version)}\b", locked, re.M), package


def test_the_project_names_its_license() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text()


def test_the_shell_script_is_posix() -> None:
    dash = shutil.which("dash")
    if dash is None:
        pytest.skip("no dash here")
    assert subprocess.run([dash, "-n", str(ROOT / "remat")], check=False).returncode == 0
    assert Path(ROOT / "remat").stat().st_mode & 0o111
