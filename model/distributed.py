"""Data-parallel training: several processes, one network, gradients averaged every update.

Start with `torchrun --nproc-per-node N`; each process then takes every Nth row of each batch. On a CPU, one
single-threaded process per core is faster than one process with many threads: small matrix
products gain little from a second thread, and nothing waits at a barrier inside each of them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import torch
from torch import distributed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

__all__ = ["Group", "join"]

_TIMEOUT = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Group:
    """The processes of one run. `rank` counts from 0; rank 0 writes files and logs."""

    rank: int = 0
    size: int = 1

    @property
    def leads(self) -> bool:
        """Whether this process writes for all."""
        return self.rank == 0

    def sum(self, values: Tensor) -> Tensor:
        """Element-wise sum over the processes, in place."""
        if self.size > 1:
            distributed.all_reduce(values)
        return values

    def sum_gradients(self, parameters: Sequence[Tensor]) -> None:
        """Add up every parameter's gradient over the processes, in one exchange."""
        if self.size == 1:
            return
        gradients = [p.grad if p.grad is not None else torch.zeros_like(p) for p in parameters]
        flat = torch.cat([gradient.reshape(-1) for gradient in gradients])
        distributed.all_reduce(flat)
        for parameter, part in zip(parameters, flat.split([p.numel() for p in parameters]), strict=True):
            parameter.grad = part.view_as(parameter)

    def wait(self) -> None:
        """Return once every process is here."""
        if self.size > 1:
            distributed.barrier()


def join() -> Group:
    """The group named by torchrun's environment, or a group of one."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        return Group()
    if not distributed.is_initialized():
        backend = "nccl" if torch.cuda.is_available() else "gloo"
        distributed.init_process_group(backend, timeout=_TIMEOUT)
    if torch.cuda.is_available():
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    return Group(rank=distributed.get_rank(), size=size)
