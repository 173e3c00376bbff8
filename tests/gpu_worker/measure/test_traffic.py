import socket
from pathlib import Path

from gpu_worker.measure.traffic import count_traffic


def test_arithmetic_writes_and_opens_nothing() -> None:
    found = count_traffic(lambda: sum(range(1000)))
    assert (found.bytes_written, found.sockets_opened) == (0, 0)


def test_every_byte_written_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "leak"
    found = count_traffic(lambda: path.write_bytes(b"x" * 12_345))
    assert found.bytes_written == 12_345


def test_a_socket_is_seen_though_nothing_went_through_it() -> None:
    found = count_traffic(lambda: socket.socket().close())
    assert found.sockets_opened == 1
    assert count_traffic(lambda: None).sockets_opened == 0
