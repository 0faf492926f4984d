"""The tables of the manual, printed from the code. A test holds the docstring of `byzanz_v0` against them."""

from .actions import ACTION_NAMES, FAMILIES
from .observation import FIELDS, LAYOUT, SEAT_FIELDS, Field

_MEANINGS = {
    "bid": ("BID", "name a new total for one's bid: above the highest, and payable exactly"),
    "pay": ("PAY", "lay this card for the bid just named; the rest stays exactly payable"),
    "give": ("GIVE", "the bundle card that goes to the market"),
    "pick": ("PICK", "the market type taken"),
    "sell": ("all but PAY", "three cards sold; the highest is kept"),
    "discard": ("LIMIT", "a card out of the game, down to seven"),
}


def observation_table() -> str:
    """Name, indexes, range and meaning of every field of the observation."""
    return _field_table(FIELDS, LAYOUT.slices)


def seat_table() -> str:
    """The same for the fields of a seat's row, counted from the row's beginning."""
    return _field_table(SEAT_FIELDS, LAYOUT.seat_slices)


def action_table() -> str:
    """Indexes, first and last name, phase and meaning of every family of actions."""
    rows = ["| indexes | names | phase | meaning |", "|---|---|---|---|"]
    rows.append("| 0 | `pass` | BID, FINAL | drop out of the auction; finish selling |")
    for family, first, end in FAMILIES:
        phase, meaning = _MEANINGS[family]
        names = f"`{ACTION_NAMES[first]}` ... `{ACTION_NAMES[end - 1]}`"
        rows.append(f"| {first}-{end - 1} | {names} | {phase} | {meaning} |")
    return "\n".join(rows)


def _field_table(fields: tuple[Field, ...], slices: dict[str, slice]) -> str:
    rows = ["| field | indexes | values | meaning |", "|---|---|---|---|"]
    for field in fields:
        where = slices[field.name]
        indexes = f"{where.start}-{where.stop - 1}" if where.stop - where.start > 1 else f"{where.start}"
        values = "copies" if hasattr(field.high, "__len__") else f"0-{field.high}"
        rows.append(f"| {field.name} | {indexes} | {'rows' if field.name == 'seats' else values} | {field.meaning} |")
    return "\n".join(rows)
