"""The action table: 309 names, fixed for good."""

from byzanz_env.actions import (
    ACTION_NAMES,
    ACTION_OF,
    FIRST_DISCARD,
    FIRST_GIVE,
    FIRST_PAY,
    FIRST_PICK,
    FIRST_SALE,
    NUM_ACTIONS,
    SELL_MERCHANTS,
    family_of,
)


def test_table_of_actions():
    assert NUM_ACTIONS == len(ACTION_NAMES) == len(set(ACTION_NAMES)) == 309
    firsts = (1, FIRST_PAY, FIRST_GIVE, FIRST_PICK, FIRST_SALE, SELL_MERCHANTS, FIRST_DISCARD)
    assert firsts == (1, 29, 53, 78, 85, 283, 284)


def test_names_at_the_borders():
    expected = {
        0: "pass",
        1: "bid 1",
        28: "bid 28",
        29: "pay cloth-1",
        52: "pay wood-4",
        53: "give cloth-1",
        77: "give merchant",
        78: "pick cloth",
        84: "pick merchant",
        85: "sell cloth 4+4+3",
        282: "sell wood 1+M+M",
        283: "sell merchant M+M+M",
        284: "discard cloth-1",
        308: "discard merchant",
    }
    assert {action: ACTION_NAMES[action] for action in expected} == expected


def test_sales_of_a_good_three_cards_then_two_and_m_then_one_and_two_m_each_from_high_to_low():
    sales = [name.removeprefix("sell wine ") for name in ACTION_NAMES if name.startswith("sell wine")]
    assert len(sales) == 33
    assert sales == sorted(sales, key=lambda s: (s.count("M"), [-int(v) for v in s.split("+") if v != "M"]))
    assert sales[:3] == ["4+4+3", "4+4+2", "4+4+1"]
    assert "4+4+4" not in sales  # there are only two fours of a good


def test_families():
    assert [family_of(ACTION_OF[name]) for name in ("pass", "bid 3", "sell wine 4+1+M")] == ["pass", "bid", "sell"]
