from __future__ import annotations

from webordinary.dashboard.lists.look import look_through


def test_where_a_store_stops_looking_a_page_stops_too_and_says_where_to_go_on() -> None:
    asked: list[str] = []

    def read(after: str, _limit: int) -> tuple[list[str], str | None]:
        asked.append(after)
        return [], f"{after}x"

    page = look_through(read, lambda _: True, str)
    assert (page.rows, page.after) == ([], "x")
    assert asked == [""]


def test_a_page_is_filled_from_many_pieces_and_leads_to_the_rest() -> None:
    rows = [f"{number:05}" for number in range(3000)]

    def read(after: str, limit: int) -> tuple[list[str], str | None]:
        behind = [row for row in rows if row > after]
        return behind[:limit], behind[limit - 1] if len(behind) > limit else None

    first = look_through(read, lambda row: row.endswith("7"), str)
    second = look_through(read, lambda row: row.endswith("7"), str, after=first.after)
    assert [*first.rows, *second.rows] == [row for row in rows if row.endswith("7")][:100]
