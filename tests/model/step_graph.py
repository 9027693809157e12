"""The steps between numbered states, and what can only be judged when all of them are known."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Steps:
    """All steps that are no faults, in the order in which they were found."""

    def __init__(self) -> None:
        self._sources = array("l")
        self._targets = array("l")

    def add(self, source: int, target: int) -> None:
        self._sources.append(source)
        self._targets.append(target)

    def dead_end(self, ends: Iterable[int], states: int) -> int | None:
        """Go backwards from every end; the first state that is not met on the way has no way to one."""
        reaches_end = bytearray(states)
        for number in ends:
            reaches_end[number] = True
        has_changed = True
        while has_changed:
            has_changed = False
            # Backwards, because a state is found before most of those it leads to: few rounds are enough.
            for source, target in zip(reversed(self._sources), reversed(self._targets), strict=True):
                if reaches_end[target] and not reaches_end[source]:
                    reaches_end[source] = has_changed = True
        number = reaches_end.find(0)
        return None if number < 0 else number

    def circle(self, states: int) -> int | None:
        """Take away, again and again, what nothing leads to; what is left holds a circle."""
        incoming = self._count_incoming(states)
        first = self._first_steps(states)
        loose = [number for number in range(states) if not incoming[number]]
        while loose:
            number = loose.pop()
            for target in self._targets[first[number] : first[number + 1]]:
                incoming[target] -= 1
                if not incoming[target]:
                    loose.append(target)
        return self._on_circle(incoming) if any(incoming) else None

    def _count_incoming(self, states: int) -> array[int]:
        incoming = array("l", bytes(states * array("l").itemsize))
        for target in self._targets:
            incoming[target] += 1
        return incoming

    def _first_steps(self, states: int) -> array[int]:
        # States are expanded in the order of their numbers, so the steps of each lie side by side.
        first = array("l", bytes((states + 1) * array("l").itemsize))
        for source in self._sources:
            first[source + 1] += 1
        for number in range(states):
            first[number + 1] += first[number]
        return first

    def _on_circle(self, left: array[int]) -> int:
        # Each state that is left has one before it that is left too: going back must come to one again.
        before = {target: source for source, target in self._between(left)}
        number, seen = next(iter(before)), set[int]()
        while number not in seen:
            seen.add(number)
            number = before[number]
        return number

    def _between(self, left: array[int]) -> Iterator[tuple[int, int]]:
        for source, target in zip(self._sources, self._targets, strict=True):
            if left[source] and left[target]:
                yield source, target
