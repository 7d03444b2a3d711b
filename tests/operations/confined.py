"""Runs a command as systemd's SystemCallFilter and MemoryDenyWriteExecute would: ``confined.py CALLS COMMAND …``.

CALLS are the names of the system calls that are let through, separated by commas. Needs Linux and libseccomp.
"""

from __future__ import annotations

import ctypes
import os
import sys

_ALLOW = 0x7FFF0000
_EPERM = 0x00050001
_MASKED_EQUAL = 7
_PROTECTION = 2  # which argument of mmap and mprotect it is
_WRITE_AND_EXECUTE = 0x2 | 0x4
_EXECUTE = 0x4


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("mask", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
    )


def _confine(calls: list[str]) -> None:
    """Deny this process, and what it becomes, all other calls, and memory both written and executed."""
    seccomp = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    seccomp.seccomp_init.restype = ctypes.c_void_p

    def number(call: str) -> int:
        return int(seccomp.seccomp_syscall_resolve_name(call.encode()))

    listed = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(_EPERM)))
    for call in calls:
        if number(call) >= 0:  # else this machine has no such call
            _check(seccomp.seccomp_rule_add(listed, ctypes.c_uint32(_ALLOW), number(call), ctypes.c_uint(0)))
    memory = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(_ALLOW)))
    for call, bits in (("mmap", _WRITE_AND_EXECUTE), ("mprotect", _EXECUTE), ("pkey_mprotect", _EXECUTE)):
        has_bits = _Comparison(_PROTECTION, _MASKED_EQUAL, bits, bits)
        denied = ctypes.c_uint32(_EPERM)
        _check(seccomp.seccomp_rule_add_array(memory, denied, number(call), ctypes.c_uint(1), ctypes.byref(has_bits)))
    _check(seccomp.seccomp_load(memory))
    _check(seccomp.seccomp_load(listed))  # last: it forbids loading another


def _check(result: int) -> None:
    if result != 0:
        raise OSError(-result, os.strerror(-result))


if __name__ == "__main__":
    _confine(sys.argv[1].split(","))
    os.execv(sys.argv[2], sys.argv[2:])  # noqa: S606 - that is what it is for
