"""A person at the table: what is asked, what an answer means, and whole sessions in a terminal."""

import os
import pty
import select
import subprocess
import sys
from itertools import chain, cycle, repeat
from pathlib import Path

import numpy as np
import pytest
from byzanz_agents.person import HELP, LeftError, Person, Question, UnclearError, news, payments
from byzanz_agents.play_command import Game
from byzanz_agents.random import RandomAgent
from table import Table, counts

from byzanz_env import Agent, play_many, read_records, replay, verify
from byzanz_env.actions import ACTION_NAMES, FIRST_PAY
from byzanz_env.errors import RecordError
from byzanz_env.observation import DTYPE, WIDTH, observe_game
from byzanz_env.rendering import render

BYZANZ = str(Path(sys.executable).with_name("byzanz"))
HAND = "cloth-1 wine-1 wine-3 wine-4 wood-3 merchant"


def bidding(hand: str = HAND) -> Table:
    return Table().offer("grain-1 grain-3 wine-1 wood-3 merchant").hold(0, hand)


def question(table: Table) -> Question:
    return Question(table.observation, table.mask)


def meaning(table: Table, answer: str) -> list[str]:
    return [ACTION_NAMES[action] for action in question(table).read(answer)]


class Script:
    """Somebody who types these lines and then goes away; `said` is what was shown."""

    def __init__(self, *lines: str):
        self.lines, self.said = list(lines), []

    def ask(self, prompt):
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def person(self, seat: int = 0) -> Person:
        return Person(seat, ask=self.ask, tell=self.said.append)

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def ask(person: Person, table: Table) -> str:
    ids = np.zeros(1, dtype=np.int64)
    return ACTION_NAMES[person.act(table.observation[None], table.mask[None], ids, ids)[0]]


# ------------------------------------------------------------------------------------- what an answer means


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("4", "bid 4"),
        ("bid 4", "bid 4"),
        ("  B 4 ", "bid 4"),
        ("b4", "bid 4"),
        ("pass", "pass"),
        ("pa", "pass"),
        ("p", "pass"),
        ("sell wine 4+1+M", "sell wine 4+1+M"),
        ("sell wine M+1+4", "sell wine 4+1+M"),
        ("se wi 41m", "sell wine 4+1+M"),
        ("sell 1", "sell wine 4+3+1"),
        ("sell wine 4 3 1", "sell wine 4+3+1"),
    ],
)
def test_answers_in_an_auction(answer, action):
    assert meaning(bidding(), answer) == [action]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("", "Enter alone does nothing"),
        ("   ", "Enter alone does nothing"),
        ("2", "A bid of 2 is too low: it must be above 2."),
        ("13", "You cannot bid 13: no goods cards of your hand are worth exactly 13."),
        ("9" * 5000, "That is too long"),
        ("9" * 50, "is no bid"),
        ("²", "is no bid"),
        ("-4", "is no bid"),
        ("bid", "is no bid"),
        ("done", "is no bid"),
        ("pass 4", "Type pass alone"),
        ("discard wine-1", "You cannot discard now: bid or pass."),
        ("give", "You cannot give now: bid or pass."),
        ("sell", "Which set: "),
        ("sell wine", "Which set: wine 4+3+1, "),
        ("sell wine 4+4+1", "You have no set 'wine 4+4+1' to sell"),
        ("sell grain", "You have no set 'grain' to sell"),
        ("sell 99", "There is no number 99: the list goes to 4."),
        ("sell 0", "You have no set '0' to sell"),
    ],
)
def test_wrong_answers_in_an_auction_get_one_sentence(answer, sentence):
    table = bidding("cloth-1 wine-1 wine-3 wine-4 wood-2 merchant")
    table.game.highest_bid, table.game.highest_bidder = 2, 3
    with pytest.raises(UnclearError) as error:
        meaning(table.refresh(), answer)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_raise_is_named_by_its_total():
    table = bidding().play("0 bid 1, 0 pay cloth-1, 1 pass, 2 pass")
    table.game.highest_bid, table.game.highest_bidder, table.game.turn = 3, 3, 0
    assert meaning(table.refresh(), "4") == ["bid 4"]
    assert "1 of yours lies there already" in question(table).text()
    with pytest.raises(UnclearError, match="worth exactly 15"):
        meaning(table, "16")


@pytest.mark.parametrize(
    ("answer", "cards"),
    [
        ("1", ["wine-4"]),
        ("2", ["cloth-1", "wine-3"]),
        ("pay 2", ["cloth-1", "wine-3"]),
        ("wine-4", ["wine-4"]),
        ("wi4", ["wine-4"]),
        ("wood 3 wine 1", ["wine-1", "wood-3"]),
        ("wo c", ["cloth-1", "wood-3"]),
        ("pay wine-3, cloth-1", ["cloth-1", "wine-3"]),
        ("wine-3+cloth-1", ["cloth-1", "wine-3"]),
    ],
)
def test_a_bid_is_paid_by_number_or_cards(answer, cards):
    assert meaning(bidding().play("0 bid 4"), answer) == [f"pay {card}" for card in cards]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("wine-3", "These cards are worth 3: lay cards worth exactly 4."),
        ("w3 c1", "'w3' may be wine-3 or wood-3"),
        ("cloth-1 cloth-1 wine-1 wine-1", "You do not hold so many"),
        ("merchant", "There is no 'merchant' among your goods cards."),
        ("grain-4", "There is no 'grain-4' among your goods cards."),
        ("pay", "Say which cards to lay"),
        ("6", "There is no number 6: the list goes to 5."),
        ("pass", "You cannot pass now: lay goods cards worth exactly 4"),
        ("sell wine 4+1+M", "You cannot sell now: lay goods cards"),
        ("!", "'!' is no card"),
    ],
)
def test_wrong_payments_get_one_sentence(answer, sentence):
    with pytest.raises(UnclearError) as error:
        meaning(bidding().play("0 bid 4"), answer)
    assert sentence in str(error.value)


def test_every_way_to_pay_is_legal_card_by_card():
    for way in payments(bidding().game.hands[0], 7):
        table = bidding().play("0 bid 7")
        for kind in way:
            table.act(FIRST_PAY + kind)
        assert table.phase == "BID"


def test_payments_come_with_the_fewest_cards_first():
    ways = payments(counts("cloth-1 cloth-1 cloth-2 wine-4 merchant"), 4)
    assert [len(way) for way in ways] == [1, 3]


def test_many_ways_to_pay_are_cut_short_but_all_can_be_typed():
    table = bidding("cloth-1 grain-1 olives-1 spices-1 wine-1 wood-1").play("0 bid 3")
    assert "or name other cards" in question(table).text()
    assert "10 " not in question(table).text()
    assert meaning(table, "sp wi wo") == ["pay spices-1", "pay wine-1", "pay wood-1"]


def giving() -> Table:
    table = bidding().play("0 bid 4, 0 pay wine-4").pass_all()
    assert table.phase == "GIVE"
    return table


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("1", "give grain-1"),
        ("give 5", "give merchant"),
        ("wood", "give wood-3"),
        ("gi wo3", "give wood-3"),
        ("g 3", "give grain-3"),
        ("merchants", "give merchant"),
        ("m", "give merchant"),
        ("sell wine 3+1+M", "sell wine 3+1+M"),
    ],
)
def test_a_card_is_given_by_number_or_name(answer, action):
    assert meaning(giving(), answer) == [action]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("grain", "'grain' may be grain-1 or grain-3: write more of the name."),
        ("cloth-1", "There is no 'cloth-1' to give."),
        ("6", "There is no number 6"),
        ("0", "'0' is no card and no number of the list"),
        ("give", "Which one?"),
        ("pass", "You cannot pass now: put one card"),
    ],
)
def test_wrong_gifts_get_one_sentence(answer, sentence):
    with pytest.raises(UnclearError) as error:
        meaning(giving(), answer)
    assert sentence in str(error.value)


def test_a_type_is_picked_and_its_cards_are_listed():
    table = bidding().hand_out(2, 3, 4, 5).lay_out_market("wine-1 wine-1 wood-3 merchant").at(0, "PICK")
    assert "pick  1 wine 1 1 · 2 wood 3 · 3 merchant x1" in question(table).text()
    assert meaning(table, "pick wood") == meaning(table, "wo") == meaning(table, "2") == ["pick wood"]
    assert meaning(table, "m") == ["pick merchant"]


def test_too_many_cards_are_discarded_or_sold():
    table = bidding(f"{HAND} grain-2 grain-2 merchant merchant").at(0, "LIMIT")
    assert question(table).text().startswith("Sell or discard down to 7 cards; you hold 10.")
    assert meaning(table, "d grain-2") == meaning(table, "gr") == meaning(table, "2") == ["discard grain-2"]
    assert meaning(table, "sell m+m+m") == meaning(table, "sell merchants") == ["sell merchant M+M+M"]


def test_the_last_sales_end_with_pass_or_done():
    table = bidding().at(0, "FINAL")
    assert meaning(table, "done") == meaning(table, "pass") == ["pass"]
    assert meaning(table, "1") == meaning(table, "sell 1") == ["sell wine 4+3+1"]


def test_nothing_to_sell_is_said():
    with pytest.raises(UnclearError, match="You have no set to sell"):
        meaning(bidding("cloth-1 wine-1"), "sell wine")


def test_every_action_can_be_typed_by_its_own_name():
    """In whole random games each legal action is read back from its name, and from its number in the list."""
    for seed in range(3):
        table = Table(players=3 + seed, seed=seed)
        rng = np.random.default_rng(seed)
        while not table.over:
            asked = question(table)
            for action in np.flatnonzero(table.mask):
                if asked.phase != "PAY":
                    assert asked.read(ACTION_NAMES[action]) == [action]
            for number, action in enumerate(asked.choices if asked.phase != "PAY" else [], 1):
                assert asked.read(str(number)) == [action]
            table.act(int(rng.choice(np.flatnonzero(table.mask))))


# ------------------------------------------------------------------------------------- the talk


def test_a_person_is_an_agent():
    assert isinstance(Person(), Agent)


def test_the_table_comes_before_the_question_and_shows_what_the_seat_sees():
    script, table = Script("4"), bidding()
    assert ask(script.person(), table) == "bid 4"
    assert render(table.observation, None, 0) in script.said[0]
    assert script.said[1].startswith("Bid or pass.\n  bid 1-12, or pass\n  sell  1 wine 4+3+1 · ")


def test_no_line_of_the_question_is_too_long():
    table = bidding("wine-1 wine-1 wine-2 wine-2 wine-3 wine-4 merchant merchant wood-1").at(0, "LIMIT")
    assert max(map(len, question(table).text().splitlines())) <= 100
    assert all(ACTION_NAMES[sale].split(" ", 1)[1] in question(table).text() for sale in question(table).sales)


def test_a_wrong_answer_is_asked_again_and_enter_does_nothing():
    script = Script("", "99", "nonsense", "pass")
    assert ask(script.person(), bidding()) == "pass"
    assert len(script.said) == 2 + 3
    assert not script.lines


@pytest.mark.parametrize("word", ["?", "help", "h", " HELP "])
def test_help_is_shown_and_the_question_stays(word):
    script = Script(word, "4")
    assert ask(script.person(), bidding()) == "bid 4"
    assert script.said[2:] == [HELP]


def test_table_shows_the_table_again():
    script, table = Script("table", "4"), bidding()
    ask(script.person(), table)
    assert script.text.count(render(table.observation, None, 0)) == 2
    assert script.text.count("Bid or pass.") == 2


def test_cards_of_a_payment_are_laid_without_asking_again():
    script, table = Script("bid 4", "wine-3 cloth-1"), bidding()
    person = script.person()
    played = []
    for _ in range(3):
        played.append(ask(person, table))
        table.play(f"0 {played[-1]}")
    assert played == ["bid 4", "pay cloth-1", "pay wine-3"]


def test_the_only_action_is_played_and_told():
    script = Script()
    assert ask(script.person(), bidding("merchant")) == "pass"
    assert script.said == ["You have no choice: pass."]


def test_the_only_payment_is_played_and_told():
    script, table = Script(), bidding("cloth-1 wine-3").play("0 bid 4")
    assert ask(script.person(), table) == "pay cloth-1"
    assert script.said == ["You have no choice: pay cloth-1, pay wine-3."]


def test_end_of_input_and_quit_leave_the_table():
    for script in (Script(), Script("quit", "4")):
        with pytest.raises(LeftError):
            ask(script.person(), bidding())
    assert ask(Script("q", "4").person(), bidding()) == "bid 4"  # one letter is too little for so much


def test_a_stray_byte_is_a_wrong_answer():
    def broken(prompt, lines=[b"\xff", b"4"]):  # noqa: B006
        return lines.pop(0).decode()

    assert ask(Person(0, ask=broken, tell=lambda text: None), bidding()) == "bid 4"


# ------------------------------------------------------------------------------------- what the others did


def watched(table: Table, seat: int, moves: str) -> list[str]:
    """The lines a seat is told for these moves."""
    script = Script()
    person = script.person(seat)
    for move in moves.split(","):
        mover, name = move.strip().split(" ", 1)
        before = seen_by(table, seat)
        table.play(move)
        person.watch(int(mover), name, before, seen_by(table, seat))
    person.end(np.zeros(1), [])
    return [line.strip() for line in script.text.strip().splitlines()]


def seen_by(table: Table, seat: int) -> np.ndarray:
    observation = np.zeros(WIDTH, dtype=DTYPE)
    observe_game(table.games, 0, seat, observation)
    return observation


def test_an_auction_is_told_in_one_line_for_each_move():
    table = bidding().hold(1, "cloth-1 cloth-2 wood-4")
    moves = (
        "0 sell wine 4+3+1, 0 bid 1, 0 pay cloth-1, 1 bid 3, 1 pay cloth-1, 1 pay cloth-2, 2 pass, 3 pass, 0 bid 4,"
        "0 pay wood-3, 1 bid 7, 1 pay wood-4, 0 pass, 1 give wood-3"
    )
    assert watched(table, 2, moves) == [
        "player_0 sells wine 4+3+1 for a profit of 4",
        "player_0 bids 1 with cloth-1",
        "player_1 bids 3 with cloth-1 cloth-2",
        "player_3 passes",
        "player_0 raises to 4 with wood-3",
        "player_1 raises to 7 with wood-4",
        "player_0 passes",
        "player_1 puts wood-3 into the market",
        "player_1 takes bidder card 5 and grain-1 grain-3 wine-1 merchant",
    ]


def test_all_passed_tells_who_takes_the_bundle():
    lines = watched(bidding("cloth-1"), 0, "0 pass, 1 pass, 2 pass, 3 pass")
    assert lines[-1] == "you take bidder card 5 and grain-1 grain-3 wine-1 wood-3 merchant"
    assert lines[:-1] == ["player_1 passes", "player_2 passes", "player_3 passes"]


def test_a_single_last_card_is_told_after_the_bundle_before_it():
    table = Table(players=5).hand_out(5, 4, 3, 0, 0).offer("wood-1 wood-3").stack("merchant")
    table.game.auction, table.game.on_sale, table.game.opener = 4, 2, 3
    assert watched(table.at(3, "BID"), 0, "3 pass, 4 pass")[2:] == [
        "player_3 takes bidder card 2 and wood-1 wood-3",
        "player_4 takes bidder card 1; merchant goes into the market",
    ]


def test_picks_and_discards_are_told():
    table = bidding().hand_out(2, 3, 4, 5).lay_out_market("wine-1 wine-1 wood-3 wood-4")
    table.hold(1, "7*cloth-1").at(1, "PICK")
    table.game.picked[0] = 1
    assert watched(table, 0, "1 pick wine, 1 discard wine-1, 1 discard cloth-1") == [
        "player_1 takes from the market wine 1 1",
        "player_1 discards wine-1",
        "player_1 discards cloth-1",
    ]


def test_news_are_told_once():
    script, table = Script("pass", "pass"), bidding()
    person = script.person(1)
    before = seen_by(table, 1)
    table.play("0 pass").hold(1, HAND)
    person.watch(0, "pass", before, seen_by(table, 1))
    ask(person, table)
    ask(person, table)
    assert script.text.count("player_0 passes") == 1


def test_nothing_hidden_is_told():
    """Two games that differ only in what the seat cannot see read the same, as long as the same is played."""
    texts = []
    for hidden in ("cloth-1 cloth-1 wood-1 wood-1", "cloth-4 grain-4 merchant merchant"):
        table = bidding().hold(1, hidden, known="").hold(2, "olives-1", known="")
        script = Script("pass")
        person = script.person(0)
        person.act(table.observation[None], table.mask[None], np.zeros(1), np.zeros(1))
        before = seen_by(table, 0)
        table.play("0 pass")
        between = seen_by(table, 0)
        table.play("1 pass")
        person.watch(0, "pass", before, between)
        person.watch(1, "pass", between, seen_by(table, 0))
        person.end(np.zeros(1), [])
        texts.append(script.text)
    assert texts[0] == texts[1]


def test_random_games_can_be_told_to_every_seat():
    for players in (3, 5, 6):
        table, rng = Table(players=players, seed=players), np.random.default_rng(0)
        handed_over = 0
        while not table.over:
            action, mover = int(rng.choice(np.flatnonzero(table.mask))), table.turn
            before = [table.see(seat) for seat in range(players)]
            table.act(action)
            lines = [news(mover, ACTION_NAMES[action], before[seat], table.see(seat), seat) for seat in range(players)]
            handed_over += sum("bidder card" in line for line in lines[mover])
            assert all(len(line) == len(lines[mover]) + 1 for seat, line in enumerate(lines) if seat != mover)
        assert handed_over == players * {3: 8, 5: 6, 6: 4}[players]  # everybody wins one auction in each round


# ------------------------------------------------------------------------------------- the game


def test_a_game_is_the_one_that_record_plays():
    """Same run seed, same cards, same chance of the bots."""
    (expected,) = play_many(["random"] * 3, 1, 5)
    game, bot = Game(3, 5), RandomAgent()
    game.play_out([bot] * 3, ["random"] * 3, Script().person(0))
    assert game.record(["random"] * 3) == expected


def test_the_person_watches_from_its_own_seat_only():
    """What `watch` is handed is what the replayed game shows to that seat, move by move."""
    watched_moves = []

    class Watcher(RandomAgent):
        seat = 2

        def watch(self, mover, name, before, after):
            watched_moves.append(((mover, name), before, after))

    watcher, bot = Watcher(), RandomAgent()
    game = Game(4, 6)
    game.play_out([bot, bot, watcher, bot], list("abcd"), watcher)
    seen = np.zeros((len(game.moves) + 1, WIDTH), dtype=DTYPE)
    for position in replay(game.record(list("abcd"))):
        observe_game(position.games, 0, 2, seen[position.number])
    assert [move for move, _, _ in watched_moves] == game.moves
    assert (np.array([before for _, before, _ in watched_moves]) == seen[:-1]).all()
    assert (np.array([after for _, _, after in watched_moves]) == seen[1:]).all()


def test_a_game_left_is_finished_at_random_after_the_same_moves():
    script = Script("pass", "pass")
    game = Game(3, 5)
    with pytest.raises(LeftError):
        game.play_out([script.person(), RandomAgent(), RandomAgent()], ["person", "b", "c"], script.person())
    record = game.finished_at_random().record(["x", "b", "c"])
    verify(record)
    assert record.moves[: len(game.moves)] == game.moves
    assert len(record.moves) > len(game.moves) > 0


# ------------------------------------------------------------------------------------- in a terminal


# Only a controlling terminal turns Ctrl-C into a signal; it is taken after the fork, in a process without threads.
IN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


def session(folder: Path, answers, *words: object) -> tuple[int, str]:
    """`byzanz play` in a real terminal; at each prompt the next answer is typed. The answer: exit code and text."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", IN_TERMINAL, BYZANZ, "play", *map(str, words)]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, start_new_session=True)
    os.close(theirs)
    answers, text, asked = iter(answers), "", 0
    try:
        while part := _read(ours):
            text += part
            while text.count("\n> ") > asked:
                asked += 1
                os.write(ours, next(answers))
        return process.wait(timeout=60), text.replace("\r\n", "\n")
    finally:
        process.kill()
        os.close(ours)


def _read(terminal: int) -> str:
    assert select.select([terminal], [], [], 60)[0], "nothing was shown for a minute"
    try:
        return os.read(terminal, 65536).decode(errors="replace")
    except OSError:  # the terminal is closed with its last process
        return ""


def test_a_whole_game_in_a_terminal(tmp_path):
    answers = cycle([b"pass\n", b"1\n"])
    code, text = session(tmp_path, answers, "--players", 3, "--seat", 1, "--seed", 4, "--out", "game.jsonl")
    assert code == 0, text
    (record,) = read_records(tmp_path / "game.jsonl")
    verify(record)
    assert record.agents == ["random", "person", "random"]
    assert "you are player_1; player_0 random, player_2 random" in text
    assert "round 8 of 8" in text
    assert "hand of player_1:" in text
    assert "hand of player_0" not in text and "hand of player_2" not in text
    for seat, profit in enumerate(record.profits):
        assert f"player_{seat}  {record.agents[seat]:<12}{profit:>4} profit" in text
    assert text.count("goods cards left") == 1  # how many goods the others hold in the end stays hidden
    assert text.rstrip().endswith("The game is in game.jsonl; its cards are dealt again by --seed 4.")
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


@pytest.mark.parametrize("last", [b"\x04", b"\x03", b"quit\n"], ids=["ctrl-d", "ctrl-c", "quit"])
def test_leaving_saves_the_game_and_says_so(tmp_path, last):
    answers = chain([b"?\n", b"pass\n", last], repeat(b"pass\n"))
    code, text = session(tmp_path, answers, "--players", 3, "--seed", 4, "--out", "game.jsonl")
    assert code == 1
    (record,) = read_records(tmp_path / "game.jsonl")
    verify(record)
    moves = int(text.split("You left after move ")[1].split(":")[0])
    assert record.agents == [f"person (left after move {moves})", "random", "random"]
    assert text.count("the rest was played at random, and the game is in game.jsonl.") == 1
    assert record.moves[0] == (0, "pass")
    assert "Traceback" not in text and "Abort" not in text


def piped(folder: Path, *words: object, lines: str = "") -> subprocess.CompletedProcess[str]:
    command = [BYZANZ, "play", *map(str, words)]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=False, cwd=folder)


def test_a_file_without_a_name_is_made_up_and_named(tmp_path):
    run = piped(tmp_path)
    (path,) = tmp_path.iterdir()
    assert run.returncode == 1
    assert f"the game is in {path.name}." in run.stdout
    verify(next(iter(read_records(path))))


def test_opponents_sit_clockwise_from_the_person(tmp_path):
    piped(tmp_path, "--players", 4, "--seat", 2, "--opponents", "a=random,b=random,c=random", "--out", "x")
    (record,) = read_records(tmp_path / "x")
    assert [name.split(" ")[0] for name in record.agents] == ["b", "c", "person", "a"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--players", 7), "Byzanz is for 3 to 6 players, not 7"),
        (("--seat", 4), "there is no seat 4 at this table of 4"),
        (("--seat", -1), "there is no seat -1 at this table of 4"),
        (("--opponents", "random,random"), "2 agents for 3 seats"),
        (("--opponents", "randm"), "there is no agent 'randm'; did you mean random?"),
        (("--seed", -1), "a seed must be a whole number from 0 up, not -1"),
        (("--out", "no/such/folder/x"), "No such file or directory"),
        (("--out", "."), ". is there already: name a new file with --out"),
    ],
)
def test_bad_options_get_one_sentence_before_the_game(words, sentence, tmp_path):
    run = piped(tmp_path, *words)
    assert run.returncode == 1
    assert sentence in run.stderr
    assert run.stderr.count("\n") == 1
    assert run.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_is_there_is_not_overwritten(tmp_path):
    (tmp_path / "old").write_text("kept")
    assert piped(tmp_path, "--out", "old").returncode == 1
    assert (tmp_path / "old").read_text() == "kept"
    with pytest.raises(RecordError):
        list(read_records(tmp_path / "old"))


def test_help_of_the_command_has_an_example(tmp_path):
    assert "Example: byzanz play" in piped(tmp_path, "--help").stdout
