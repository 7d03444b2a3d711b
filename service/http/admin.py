"""What those who run the service may do while it runs."""

from __future__ import annotations

from fastapi import APIRouter, Request

from service.errors import (
    AdminDisabled,
    BodyTimeout,
    BundleRefused,
    Draining,
    InvalidRequest,
    MalformedRequest,
    SwapInProgress,
    TooLarge,
    Unauthenticated,
    UnsupportedMedia,
)
from service.http.authentication import ADMIN
from service.http.body import JSON, read_json
from service.http.context import context_of
from service.http.parameters import Query, read_query
from service.http.problems import documented
from service.http.schemas import BundleReplaced, BundleRequest, reference

__all__ = ["router"]

router = APIRouter(prefix=ADMIN)  # where `authenticate` lets pass whoever has an admin key

_REQUEST_BODY = {"required": True, "content": {JSON: {"schema": reference(BundleRequest)}}}


@router.post(
    "/bundle",
    summary="Replace the bundle",
    description="Loads and checks the bundle while the present one serves on, then has it take over. Requests under "
    "way are finished with the bundle they began with. Answers when the new one serves. Until the former one has "
    "finished, another replacement is 409.",
    responses=documented(
        MalformedRequest,
        Unauthenticated,
        AdminDisabled,
        BodyTimeout,
        SwapInProgress,
        TooLarge,
        UnsupportedMedia,
        InvalidRequest,
        BundleRefused,
        Draining,
    ),
    openapi_extra={"requestBody": _REQUEST_BODY},
)
async def replace_bundle(request: Request) -> BundleReplaced:
    context = context_of(request)  # not leased: the bundle that is to go does not wait for this request to end
    settings = context.settings
    read_query(request, Query)  # it has none: a path in it would be passed over, and another bundle served
    body = await read_json(request, BundleRequest, max_bytes=settings.max_body_bytes, timeout_s=settings.timeout_s)
    swap = await context.serving.swap(body.path)
    return BundleReplaced(
        bundle=swap.bundle,
        manifest=swap.manifest,
        former=swap.former,
        former_manifest=swap.former_manifest,
        duration_s=round(swap.duration_s, 3),
    )
