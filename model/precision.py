"""The precision in which a device multiplies matrices fastest."""

from __future__ import annotations

import torch

__all__ = ["mixed_precision", "product_dtype"]


def product_dtype(device: torch.device) -> torch.dtype:
    """bfloat16; float32 on a CPU that has to emulate it: without AVX-512, fifty to a hundred times as slow."""
    return torch.float32 if device.type == "cpu" and not _cpu_has_bfloat16() else torch.bfloat16


def mixed_precision(device: torch.device) -> torch.autocast:
    """A context in which networks multiply matrices in `product_dtype`, and add up in float32."""
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=product_dtype(device) == torch.bfloat16)


def _cpu_has_bfloat16() -> bool:
    """As PyTorch asks before it hands a product to oneDNN, the fast way."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # noqa: SLF001 - there is no public way
