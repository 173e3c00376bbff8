"""The embedded servers under supervision: killed, abandoned, doubled, stopped."""

import json
import os
import pwd
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import redis

from launcher import proc
from launcher.credentials import ensure_credentials
from launcher.layout import ROOT, LauncherError, Layout, find_layout
from launcher.postgres import Postgres
from launcher.stack import find_port_lock, read_stack, reserve_port
from launcher.valkey import Valkey
from tests.harness import PATIENCE_S, RunningStack, build_environment, run_remat, wait_for

SERVERS_ONLY = ("-m", "tests.launcher.servers_only")
FREE_PORT = 8999
# Above those that a service is given by itself.


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., RunningStack]]:
    running: list[RunningStack] = []

    def start_one(name: str = "state", **more: str) -> RunningStack:
        stack = RunningStack.start(tmp_path / name, SERVERS_ONLY, **more)
        running.append(stack)
        stack.wait_ready()
        return stack

    yield start_one
    for stack in running:
        stack.stop()
        run_remat(stack.layout.state, "stop")


def connect(stack: RunningStack) -> "psycopg.Connection[tuple[int]]":
    return psycopg.connect(Postgres(stack.layout).url, autocommit=True)


def is_answering(stack: RunningStack) -> bool:
    try:
        with connect(stack) as connection:
            connection.execute("select 1")
    except psycopg.OperationalError:
        return False
    return True


def open_valkey(stack: RunningStack, user: str = "app") -> "redis.Redis":
    valkey = Valkey(stack.layout, ensure_credentials(stack.layout))
    return redis.Redis(
        unix_socket_path=str(valkey.socket), username=user, password=valkey.passwords[user]
    )


def test_a_killed_postgres_comes_back_with_every_committed_row(start) -> None:
    stack = start()
    with connect(stack) as connection:
        connection.execute("create table kept (id int)")
        connection.execute("insert into kept select generate_series(1, 500)")
    old = stack.kill("postgres")
    stack.wait_replaced("postgres", old=old)
    wait_for(lambda: is_answering(stack), what="an answer of the new postgres")
    with connect(stack) as connection:
        assert connection.execute("select count(*) from kept").fetchone() == (500,)


def test_a_killed_valkey_comes_back(start) -> None:
    stack = start()
    old = stack.kill("valkey")
    stack.wait_replaced("valkey", old=old)
    valkey = Valkey(stack.layout, ensure_credentials(stack.layout))
    wait_for(valkey.is_ready, what="an answer of the new valkey")


def test_the_worker_account_reaches_only_keys_of_the_gpu_queues(start) -> None:
    worker = open_valkey(start(), "worker")
    worker.lpush("gpu:runs", "a run")
    for refused in (
        lambda: worker.get("app:anything"),
        lambda: worker.keys("*"),
        lambda: worker.flushall(),
        lambda: worker.config_get("*"),
    ):
        with pytest.raises(redis.exceptions.NoPermissionError):
            refused()


def test_nobody_enters_without_a_password(start) -> None:
    layout = start().layout
    valkey = Valkey(layout, ensure_credentials(layout))
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(valkey.socket))
        connection.sendall(b"PING\r\n")
        assert connection.recv(100).startswith(b"-NOAUTH")


def test_a_killed_launcher_leaves_no_process_behind(start) -> None:
    stack = start()
    stack.process.send_signal(signal.SIGKILL)
    stack.process.wait()
    wait_for(lambda: not stack.list_alive(), what="the end of the servers")


def test_after_a_killed_launcher_the_next_one_starts_on_the_same_data(start) -> None:
    first = start()
    with connect(first) as connection:
        connection.execute("create table kept (id int)")
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    second = start()
    with connect(second) as connection:
        assert connection.execute("select count(*) from kept").fetchone() == (0,)


def test_stop_leaves_no_process_no_lock_and_no_socket(start) -> None:
    stack = start()
    done = run_remat(stack.layout.state, "stop")
    assert done.returncode == 0, done.stderr
    stack.process.wait(PATIENCE_S)
    assert stack.list_alive() == []
    left = {path.name for path in stack.layout.state.iterdir()}
    assert not left & {"stack.lock", "stack.json", "processes.json"}
    assert not stack.layout.sockets.exists()


def test_stop_ends_servers_whose_launcher_hangs(start) -> None:
    stack = start()
    stack.process.send_signal(signal.SIGSTOP)
    postgres = stack.pid("postgres")
    stopper = subprocess.Popen(["sleep", "30"], env={proc.MARK: str(stack.layout.state)})
    ended = proc.end_all(proc.list_marked(stack.layout.state), grace_s=5)
    assert postgres in ended
    assert stopper.wait(PATIENCE_S) == -signal.SIGTERM
    stack.process.send_signal(signal.SIGKILL)


def test_stop_says_when_nothing_runs(tmp_path: Path) -> None:
    done = run_remat(tmp_path / "state", "stop")
    assert done.returncode == 0
    assert "nothing was running" in done.stderr


def test_two_state_folders_run_at_once(start) -> None:
    one, two = start("one"), start("two")
    with connect(one) as connection:
        connection.execute("create table only_in_one (id int)")
    with connect(two) as connection, pytest.raises(psycopg.errors.UndefinedTable):
        connection.execute("select * from only_in_one")
    run_remat(one.layout.state, "stop")
    assert is_answering(two)


def test_a_second_stack_on_one_state_folder_is_refused(start) -> None:
    stack = start()
    done = run_remat(stack.layout.state, "serve")
    assert done.returncode == 1
    assert "running already" in done.stderr
    assert is_answering(stack)


def test_a_pid_file_with_the_number_of_another_program_is_no_obstacle(start) -> None:
    first = start()
    data = Postgres(first.layout).data
    first.kill("postgres")
    first.process.send_signal(signal.SIGKILL)
    first.process.wait()
    lines = (data / "postmaster.pid").read_text().splitlines()
    (data / "postmaster.pid").write_text("\n".join([str(os.getppid()), *lines[1:]]) + "\n")
    assert is_answering(start())


def test_secrets_are_for_their_user_alone(start) -> None:
    layout = start().layout
    for name in ("credentials.json", "valkey.acl"):
        assert stat.S_IMODE((layout.state / name).stat().st_mode) == 0o600
    assert stat.S_IMODE(layout.sockets.stat().st_mode) == 0o700


def test_no_port_is_opened(start) -> None:
    stack = start()
    for name in ("postgres", "valkey"):
        listening = Path(f"/proc/{stack.pid(name)}/net/tcp").read_text().splitlines()[1:]
        inodes = {line.split()[9] for line in listening if line.split()[3] == "0A"}
        held = {
            str(entry.readlink())
            for entry in Path(f"/proc/{stack.pid(name)}/fd").iterdir()
            if entry.is_symlink()
        }
        assert not {f"socket:[{inode}]" for inode in inodes} & held


@pytest.mark.skipif(os.getuid() != 0, reason="only root has to change its account")
def test_root_without_user_namespaces_runs_postgres_as_nobody(start, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("setpriv", "sh"):
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    stack = start(PATH=str(programs))
    pid = stack.pid("postgres")
    assert Path(f"/proc/{pid}").stat().st_uid == pwd.getpwnam("nobody").pw_uid
    folder = stack.layout.sockets / "pg"
    url = f"postgres://postgres@{quote(str(folder), safe='')}/remat"
    with psycopg.connect(url) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    stack.stop()
    shutil.rmtree(f"/var/tmp/remat-{stack.layout.digest}")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_a_normal_user_needs_no_rights(tmp_path: Path) -> None:
    state = Path(tempfile.mkdtemp(prefix="remat-user-"))
    nobody = pwd.getpwnam("nobody")
    os.chown(state, nobody.pw_uid, nobody.pw_gid)
    command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", sys.executable]
    environment = build_environment(state, HOME=str(state))
    try:
        with subprocess.Popen([*command, "-P", *SERVERS_ONLY], env=environment) as process:
            layout = Layout(ROOT, state, find_layout().venv)
            wait_for(lambda: is_marked_ready(layout), what="the start as nobody")
            assert Path(f"/proc/{process.pid}").stat().st_uid == nobody.pw_uid
            process.terminate()
            assert process.wait(PATIENCE_S) == 0
    finally:
        shutil.rmtree(state)


def is_marked_ready(layout: Layout) -> bool:
    row = read_stack(layout)
    return row is not None and row.ready


def test_servers_that_the_environment_names_are_used_and_none_is_started(
    start, tmp_path: Path
) -> None:
    given = start("given").layout
    valkey = Valkey(given, ensure_credentials(given))
    script = (
        "from django.core.cache import cache; from django.db import connection;"
        "cache.set('seen', 'yes'); connection.cursor().execute('create table seen (id int)');"
        "print(cache.get('seen'))"
    )
    done = run_remat(
        tmp_path / "other",
        *("manage", "shell", "--no-imports", "-c", script),
        DATABASE_URL=Postgres(given).url,
        REDIS_URL=valkey.cache_url,
    )
    assert done.stdout.strip() == "yes", done.stderr
    with psycopg.connect(Postgres(given).url) as connection:
        assert connection.execute("select count(*) from seen").fetchone() == (0,)
    assert {path.name for path in (tmp_path / "other").iterdir()} == {
        "credentials.json",
        "logs",
        "static",
    }


def test_two_stacks_never_choose_the_same_port() -> None:
    first, one = reserve_port(None)
    second, two = reserve_port(None)
    try:
        assert first != second
        with pytest.raises(LauncherError, match="is taken"):
            reserve_port(first)
    finally:
        one.release()
        two.release()


def test_after_kill_and_stop_no_lock_is_left(tmp_path: Path) -> None:
    """Of the port (the killed launcher left word of its address), the stack, an installation."""
    layout = Layout(ROOT, tmp_path / "state", tmp_path / "state" / "venv")
    layout.make_state()
    lock = find_port_lock(FREE_PORT)
    for left in (lock, layout.state / "install.lock", layout.lock):
        left.touch()
    row = {"pid": 2**22 + 1, "start": 1, "kind": "serve", "ready": True}
    row["url"] = f"http://127.0.0.1:{FREE_PORT}"
    layout.stack_file.write_text(json.dumps(row))
    done = run_remat(layout.state, "stop", REMAT_VENV=str(layout.venv))
    assert done.returncode == 0, done.stderr
    assert not lock.exists()
    assert {path.name for path in layout.state.iterdir()} == {"logs", "static"}


def test_two_management_commands_at_once_take_turns(tmp_path: Path) -> None:
    """The servers of the first must not stop under the second."""
    command = [sys.executable, "-P", "-m", "launcher", "manage", "check", "--database", "default"]
    state = tmp_path / "state"
    both = [
        subprocess.Popen(command, env=build_environment(state), stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    told = [process.communicate(timeout=PATIENCE_S)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    assert sum("waiting for it" in text for text in told) == 1


def test_data_of_another_version_are_not_touched(start) -> None:
    stack = start()
    stack.stop()
    data = Postgres(stack.layout).data
    (data / "PG_VERSION").write_text("12\n")
    done = run_remat(stack.layout.state, "manage", "check")
    assert done.returncode == 1
    assert "was made by PostgreSQL 12" in done.stderr
