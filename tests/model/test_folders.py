"""Folders that are written whole: the new one takes the place of the old one, or nothing has happened."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.folders import written_whole


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """A folder with a file."""
    folder = tmp_path / "packed"
    folder.mkdir()
    (folder / "former").write_text("former")
    return folder


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return [path.name for path in folder.iterdir()]


def write(target: Path) -> None:
    """Write a folder there."""
    with written_whole(target) as folder:
        (folder / "new").write_text("new")


def test_a_new_folder(tmp_path: Path) -> None:
    """It is there with what was written, its parents too, and nothing else is."""
    write(tmp_path / "far" / "away")
    assert names(tmp_path / "far") == ["away"]
    assert names(tmp_path / "far" / "away") == ["new"]


def test_the_former_folder_is_replaced(former: Path) -> None:
    """Nothing of what was there stays, in it or beside it."""
    write(former)
    assert names(former.parent) == ["packed"]
    assert names(former) == ["new"]


def test_nothing_has_happened_where_writing_fails(former: Path) -> None:
    """The former folder is as it was, and what was begun is gone."""

    def fail() -> None:
        with written_whole(former) as folder:
            (folder / "new").write_text("new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert names(former.parent) == ["packed"]
    assert names(former) == ["former"]


def test_nothing_has_happened_where_the_new_folder_cannot_take_its_place(
    former: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The former folder is put back."""
    rename = Path.rename

    def unless_new(path: Path, target: Path) -> Path:
        if (path / "new").exists():
            raise PermissionError
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", unless_new)
    with pytest.raises(PermissionError):
        write(former)
    assert names(former.parent) == ["packed"]
    assert names(former) == ["former"]


def test_the_working_directory_may_be_replaced(former: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name "." as well: it is not the new folder's parent."""
    monkeypatch.chdir(former)
    write(type(former)())
    assert names(former.parent) == ["packed"]
    assert names(former) == ["new"]


def test_behind_a_link(former: Path) -> None:
    """The link stays one; the folder that it leads to is replaced."""
    link = former.with_name("present")
    link.symlink_to(former)
    write(link)
    assert link.is_symlink()
    assert names(former) == ["new"]
