"""The service's settings, for the commands that run it or a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.errors import USAGE, fail

if TYPE_CHECKING:
    from service.settings import Settings

__all__ = ["load_settings"]


def load_settings(*, serves: bool = False, **given: Any) -> Settings:  # noqa: ANN401 - each setting has its own type
    """Settings from the environment, overridden by those given; None means not given.

    What only a command that `serves` uses is not read for others, and cannot be wrong.

    Raises:
        typer.Exit: one of them is wrong, or no bundle is named and that of the repository is not here; standard error
            says which.
    """
    from pydantic import ValidationError

    from service.settings import PipelineSettings, Settings, what_is_wrong

    read = Settings if serves else PipelineSettings
    try:
        settings = read(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        fail(f"cannot start: {what_is_wrong(error)}", code=USAGE)
    if "bundle" not in settings.model_fields_set and not settings.bundle.exists():
        fail(f"there is no {settings.bundle} here; name a bundle with --bundle or REDER_BUNDLE", code=USAGE)
    return settings
