"""Folders in which code is kept that we shall run: nobody else may be able to exchange it.

Whoever may write to a folder may replace what is in it, and so may whoever owns it; the same holds for
every folder above, and for those to which links on the way lead. So all of them must belong to the user
or to root, and nobody else may write there. Once that is so nobody else can change it, and what has been
checked stays as it was: therefore folders are made first, and checked afterwards too.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

_ROOT: Final = 0  # user and group
_MOST_LINKS: Final = 40  # on one way, as Linux has it
_LISTS: Final = "system.posix_acl_access"  # what names others who may write


def own_folder(path: Path) -> Path:
    """The folder, made for us alone if it was not there, without links in its path.

    Raises PermissionError if somebody else could exchange what will be in it, or OSError.
    """
    if os.name == "nt":  # has no modes, and home folders that are private
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path.resolve()
    place = _check_way(path)  # nothing is made where others might lead us
    for folder in (*reversed(place.parents), place):
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
    place = _check_way(path)
    status = place.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(place))
    if status.st_mode & 0o022 and not _is_ours_alone(place, status):
        raise _refused(place, "others may write there")
    return place


def _check_way(path: Path) -> Path:
    """Walk from the root to `path`, as far as it exists; returns where that is, without links."""
    place = Path("/")
    todo = [part for part in reversed(path.absolute().parts) if part != "/"]
    _check(place)
    links = 0
    while todo:
        part = todo.pop()
        if part == "..":  # of a path without links: the folder above, which has been checked
            place = place.parent
            continue
        try:
            status = _check(place / part)
        except FileNotFoundError:
            return place.joinpath(part, *reversed(todo))
        if not stat.S_ISLNK(status.st_mode):
            place /= part
            continue
        links += 1
        if links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        target = (place / part).readlink()
        if target.is_absolute():
            place = Path("/")
        todo += [part for part in reversed(target.parts) if part != "/"]
    return place


def _check(place: Path) -> os.stat_result:
    """What is known of a step of the way; PermissionError if others could lead it elsewhere."""
    status = place.lstat()
    if status.st_uid not in (_ROOT, os.geteuid()):
        raise _refused(place, "it belongs to another user")
    # In a folder with the sticky bit nobody can exchange what is not his own, and the next step is ours.
    open_to_others = status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX
    if stat.S_ISDIR(status.st_mode) and open_to_others and not _is_ours_alone(place, status):
        raise _refused(place, "others may write there")
    return status


def _is_ours_alone(place: Path, status: os.stat_result) -> bool:
    """True if of those to whom the mode lets a folder be written nobody is anybody else.

    Many systems give each user a group of his own, and let that write whatever he makes.
    """
    import grp
    import pwd

    if status.st_mode & 0o002 or _has_list(place):
        return False
    if status.st_gid not in (_ROOT, os.getegid()):
        return False
    try:
        group = grp.getgrgid(status.st_gid)
        user = pwd.getpwuid(_ROOT if status.st_gid == _ROOT else os.geteuid())
    except KeyError:
        return False
    is_own = user.pw_gid == status.st_gid and group.gr_name == user.pw_name
    return is_own and set(group.gr_mem) <= {user.pw_name}


def _has_list(place: Path) -> bool:
    """True if a list of users says who may write; the mode then shows the sum of all."""
    try:
        return _LISTS in os.listxattr(place)
    except (AttributeError, OSError):  # there are none here
        return False


def _refused(place: Path, reason: str) -> PermissionError:
    return PermissionError(errno.EPERM, reason, str(place))
