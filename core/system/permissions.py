"""Permissions of folders with executable code: no other user may be able to replace their content.

Write access to a folder, or its ownership, allows replacing everything in it. The same holds for every
folder above, and for the targets of links on the path. So all of them must belong to the user or to
root, and be writable only by them. Once that holds, no other user can change it, and the result of a
check stays valid. Therefore folders are created first, and checked again afterwards.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

_ROOT: Final = 0  # user and group
_MAX_LINKS: Final = 40  # on one path, as in Linux
_LISTS: Final = "system.posix_acl_access"  # access control list


def own_folder(path: Path) -> Path:
    """The folder without links in its path; a missing one is created for the user alone.

    Raises PermissionError if another user could replace its content, or OSError.
    """
    if os.name == "nt":  # no mode bits, and home folders are private
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path.resolve()
    place = _check_way(path.absolute())  # never create a folder below one that others can redirect
    for folder in (*reversed(place.parents), place):
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
    _check_way(place)
    status = place.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(place))
    if status.st_mode & 0o022 and not _is_ours_alone(place, status):
        raise _refusal(place, "others may write there")
    return place


def _check_way(path: Path, links: int = _MAX_LINKS) -> Path:
    """Check each folder from the root to `path`, as far as it exists; returns the path without links."""
    for place in (*reversed(path.parents), path):
        try:
            status = _check(place)
        except FileNotFoundError:
            break
        if stat.S_ISLNK(status.st_mode):
            if not links:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
            target = place.parent / place.readlink() / path.relative_to(place)
            return _check_way(target, links - 1)
    return Path(
        os.path.normpath(path)
    )  # there are no links behind which `..` would be another folder


def _check(place: Path) -> os.stat_result:
    """The status of one folder on the path; raises PermissionError if another user could replace it."""
    status = place.lstat()
    if status.st_uid not in (_ROOT, os.geteuid()):
        raise _refusal(place, "it belongs to another user")
    # In a folder with the sticky bit users can replace only their own files; the next folder is checked too.
    open_to_others = status.st_mode & 0o022 and not status.st_mode & stat.S_ISVTX
    if stat.S_ISDIR(status.st_mode) and open_to_others and not _is_ours_alone(place, status):
        raise _refusal(place, "others may write there")
    return status


def is_private(place: Path, status: os.stat_result) -> bool:
    """True for a file, of that status, whose content no other user can have changed."""
    if os.name == "nt":
        return True
    is_ours = stat.S_ISREG(status.st_mode) and status.st_uid in (_ROOT, os.geteuid())
    return is_ours and (not status.st_mode & 0o022 or _is_ours_alone(place, status))


def _is_ours_alone(place: Path, status: os.stat_result) -> bool:
    """True if the mode gives write access only to the user.

    Many systems give each user a private group and make new files writable for it.
    """
    import grp
    import pwd

    if status.st_mode & 0o002 or has_list(place):
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


def has_list(place: Path) -> bool:
    """True if a list of users says who may write; the mode then shows the sum of all."""
    try:
        return _LISTS in os.listxattr(place)
    except (AttributeError, OSError):  # the system has no such lists
        return False


def _refusal(place: Path, reason: str) -> PermissionError:
    return PermissionError(errno.EPERM, reason, str(place))
