"""Words of earlier versions: they still work for one release, and say what they are called now."""

from __future__ import annotations

import pytest

from boomslang.cli.command_line import _FORMER, _GONE, COMMANDS, USAGE, run


@pytest.mark.parametrize("word", _FORMER)
def test_a_former_word_does_what_the_new_one_does(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run([word, "--help"])
    told = capsys.readouterr()
    assert not end.value.code
    assert told.err == f"boomslang {word} is deprecated; use boomslang {_FORMER[word]}\n"
    assert told.out.startswith(f"usage: boomslang {_FORMER[word]} ")


@pytest.mark.parametrize("word", _GONE)
def test_a_word_that_is_gone_says_what_to_do_instead(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([word, "--help"]) == 2
    assert capsys.readouterr().err == (
        f"boomslang {word}: this command was removed; use: {_GONE[word]}\n"
    )


def test_former_words_are_hidden() -> None:
    listed = {word for _, rows in USAGE for words, _ in rows for word in words.split()}
    assert not listed & {*_FORMER, *_GONE} and set(_FORMER.values()) <= set(COMMANDS)
