"""Where the pictures of a page go."""

from pathlib import Path

from fogline.arena.plotting import picture_of


def test_a_picture_lies_beside_its_page_or_in_the_folder_of_data(tmp_path: Path) -> None:
    page = tmp_path / "ladder.md"
    assert picture_of(page, "ladder.svg") == tmp_path / "ladder.svg"
    (tmp_path / "data").mkdir()
    assert picture_of(page, "ladder.svg") == tmp_path / "data/ladder.svg"
