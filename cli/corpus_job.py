"""The corpus as a Ray Data job: shards are the rows of its dataset, and a pool of actors with an engine each does them.

Ray starts processes, hands shards to those that are free, and does a shard again if a process or a machine is lost.
"""

from __future__ import annotations

import logging
import os
import socket
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

# Read when Ray is imported. It reports to its makers, and its processes write debugging output to the terminal, unless
# it is told not to.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")

import ray
import ray.data
import ray.data.exceptions
import ray.exceptions

from cli.corpus_worker import Finished, ShardWorker, attempts
from service.engine.cores import usable_cores

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence

    from cli.corpus_worker import Plan
    from cli.translate_files import Job

__all__ = ["ClusterError", "Pool", "connected", "run"]

_CONNECT_S = 10

_START_S = 600
"""Longest wait for the workers: a cluster may have to start machines."""

_SHARD_S = 86_400.0
"""Longest time in which no shard is finished."""

_OBJECT_STORE_BYTES = 80 << 20
"""Names of shards and what became of them go through it, no texts."""


_FAILURES = (
    ray.exceptions.RayError,
    ray.data.exceptions.ExecutionTimeoutError,
    ray.data.exceptions.SystemException,
    ray.data.exceptions.UserCodeException,
)


class ClusterError(RuntimeError):
    """The cluster cannot be reached, has not what was asked for, or failed."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The workers.

    Args:
        workers: how many; None is as many as there is room for.
        cpus: that each takes.
        gpus: the same.
    """

    workers: int | None
    cpus: int
    gpus: float


@contextmanager
def connected(address: str | None, pool: Pool) -> Iterator[None]:
    """Within a cluster; without an address one is started, for the time being, on this machine.

    Raises:
        ClusterError: see there.
    """
    try:
        if address:
            _check_there(address)
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        else:
            ray.init(
                address="local",
                num_cpus=pool.cpus * (pool.workers or max(1, usable_cores() // pool.cpus)),
                object_store_memory=_OBJECT_STORE_BYTES,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        raise ClusterError(_reason(error)) from error
    try:
        yield
    finally:
        ray.shutdown()


def run(plan: Plan, jobs: Sequence[Job], pool: Pool) -> Generator[Finished]:
    """Do all jobs, within `connected`; tells of each when it is finished, in whatever order.

    Whatever happens, an output is there if all of its rows are in it, and else is not.

    Raises:
        ClusterError: see there.
    """
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    context.wait_for_min_actors_s = _START_S
    context.execution_no_progress_timeout_s = _SHARD_S
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    waiting = {job.name: job for job in jobs}
    for job in jobs:
        _clear(job)
    shards = [{"name": job.name, "source": str(job.source), "target": str(job.target)} for job in jobs]
    dataset = ray.data.from_items(shards, override_num_blocks=len(shards)).map_batches(
        ShardWorker,
        fn_constructor_args=(plan,),
        batch_size=1,
        compute=ray.data.ActorPoolStrategy(size=_workers(pool, len(jobs)), max_tasks_in_flight_per_actor=1),
        num_cpus=pool.cpus,
        num_gpus=pool.gpus or None,
    )
    try:
        for row in dataset.iter_rows():
            finished = Finished(**row)
            _clear(waiting.pop(finished.name))
            yield finished
    except _FAILURES as error:
        raise ClusterError(_reason(error)) from error
    for name in waiting:
        yield Finished(name, error="the cluster lost it")


def _check_there(address: str) -> None:
    """Ray itself would try for minutes.

    Raises:
        OSError: nobody answers at HOST:PORT.
    """
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S).close()
        except OSError as error:
            msg = f"no Ray cluster answers at {address}: {error.strerror or error}"
            raise ConnectionError(msg) from error


def _workers(pool: Pool, shards: int) -> int:
    """How many to start: as many as were asked for, or as there is room for now; never more than there are shards."""
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    # all that is free may be scattered over nodes, none of which has all that a worker needs
    room = min(_places(pool, ray.available_resources()), sum(_places(pool, node) for node in nodes))
    return min(shards, pool.workers or max(1, room))


def _places(pool: Pool, resources: Mapping[str, float]) -> int:
    """How many workers can share these."""
    of_cpu = resources.get("CPU", 0) // pool.cpus
    return int(min(of_cpu, resources.get("GPU", 0) // pool.gpus) if pool.gpus else of_cpu)


def _clear(job: Job) -> None:
    """Remove what attempts at a shard have left behind."""
    for path in attempts(job.target):
        path.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    """What went wrong, without the stacks of all the processes that it went through, and what Ray says about it."""
    lines = str(error).splitlines()
    below_stacks = [line for above, line in pairwise(lines) if above.startswith("  ") and line.strip() == line != ""]
    if below_stacks:
        return below_stacks[-1]
    return " ".join(" ".join(lines).split()) or type(error).__name__
