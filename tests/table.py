"""A table for tests: positions in a few words, moves by name. It holds no rule; the engine answers everything."""

from __future__ import annotations

from collections import Counter

import numpy as np

from byzanz_env.actions import ACTION_NAMES, ACTION_OF
from byzanz_env.cards import CARD_NAMES, KIND_OF
from byzanz_env.deal import deal_game, set_up_game
from byzanz_env.engine import GAME_OVER, REFUSED, REWARDED, look, new_mask, play_checked
from byzanz_env.observation import DTYPE, WIDTH, view
from byzanz_env.scoring import reward_weights
from byzanz_env.state import PHASES, new_games


def counts(cards: str) -> np.ndarray:
    """Card names with blanks between, as counts by kind; `3*cloth-1` is three of them."""
    place = np.zeros(len(CARD_NAMES), dtype=np.int8)
    for part in cards.split():
        times, _, name = part.rpartition("*")
        place[KIND_OF[name]] += int(times or 1)
    return place


def names(place: np.ndarray) -> str:
    """Counts by kind as card names with blanks between."""
    return " ".join(CARD_NAMES[kind] for kind in range(len(CARD_NAMES)) for _ in range(place[kind]))


class Table:
    """One game, dealt by a seed; hands, bundle and market may then be put as a test needs them."""

    def __init__(self, players: int = 4, seed: int = 0, reward: str | dict[str, float] = "outcome") -> None:
        self.games = new_games(1)
        self.observation, self.mask = np.zeros(WIDTH, dtype=DTYPE), new_mask()
        self.weights, self.rewards = reward_weights(reward), np.zeros(players)
        self.players = players
        self.over = False
        deal_game(self.games, 0, players, seed)
        self.refresh()

    @property
    def game(self) -> np.record:
        return self.games[0]

    @property
    def turn(self) -> int:
        return int(self.game.turn)

    @property
    def phase(self) -> str:
        return PHASES[self.game.phase] if self.game.phase < len(PHASES) else "OVER"

    def refresh(self) -> Table:
        """Look again after the position was changed by hand."""
        look(self.games, 0, self.turn, self.observation, self.mask)
        return self

    def hold(self, seat: int, cards: str, known: str | None = None) -> Table:
        """Give a seat this hand; all of it known to the others unless `known` says what is."""
        self.game.hands[seat] = counts(cards)
        self.game.known[seat] = counts(cards if known is None else known)
        self.game.hand_size[seat] = self.game.hands[seat].sum()
        self.game.unknown[seat] = self.game.hand_size[seat] - self.game.known[seat].sum()
        return self.refresh()

    def offer(self, cards: str) -> Table:
        self.game.bundle[:] = counts(cards)
        return self.refresh()

    def lay_out_market(self, cards: str) -> Table:
        self.game.market[:] = counts(cards)
        return self.refresh()

    def stack(self, cards: str) -> Table:
        """Put these cards on top of the stock, first one first."""
        kinds = [KIND_OF[name] for name in cards.split()]
        self.game.deck[self.game.drawn : self.game.drawn + len(kinds)] = kinds
        return self

    def at(self, seat: int, phase: str) -> Table:
        """Ask a seat in a phase."""
        self.game.turn, self.game.phase = seat, PHASES.index(phase)
        return self.refresh()

    def hand_out(self, *bidder_cards: int) -> Table:
        """Give the seats these bidder cards, 0 for none."""
        self.game.bidder_card[: self.players] = bidder_cards
        return self.refresh()

    def legal(self, verb: str = "") -> set[str]:
        return {ACTION_NAMES[a] for a in np.flatnonzero(self.mask) if ACTION_NAMES[a].startswith(verb)}

    def play(self, moves: str) -> Table:
        """Moves with commas between, each `seat action`; every one must be that seat's turn and legal."""
        for move in moves.split(","):
            seat, name = move.strip().split(" ", 1)
            assert self.turn == int(seat), f"player_{self.turn} is on turn, not {move}"
            self.act(ACTION_OF[name])
        return self

    def act(self, action: int) -> int:
        answer = play_checked(self.games, 0, action, self.weights, self.rewards, self.observation, self.mask)
        assert answer != REFUSED, f"player_{self.turn} cannot {ACTION_NAMES[action]} in {self.phase}"
        self.over = bool(answer & GAME_OVER)
        if not answer & REWARDED:
            self.rewards[:] = 0
        return answer

    def hand(self, seat: int) -> str:
        return names(self.game.hands[seat])

    def known(self, seat: int) -> str:
        return names(self.game.known[seat])

    @property
    def market(self) -> str:
        return names(self.game.market)

    @property
    def bundle(self) -> str:
        return names(self.game.bundle)

    @property
    def gone(self) -> str:
        return names(self.game.gone)

    def see(self, seat: int):
        """What a seat sees, by name."""
        observation, mask = np.zeros(WIDTH, dtype=DTYPE), new_mask()
        look(self.games, 0, seat, observation, mask)
        return view(observation)

    def pass_all(self) -> Table:
        """Everybody passes until the auction is over."""
        auction = int(self.game.auction)
        while self.phase == "BID" and self.game.auction == auction:
            self.play(f"{self.turn} pass")
        return self

    def settle(self) -> Table:
        """Whoever holds too many cards gets rid of them, the lowest legal action first."""
        while self.phase == "LIMIT":
            self.act(int(np.argmax(self.mask)))
        return self

    def play_first_legal(self, until: str) -> Table:
        """Play the lowest legal action until a phase is reached."""
        while self.phase != until:
            self.act(int(np.argmax(self.mask)))
        return self

    def set_deck(self, deck: np.ndarray) -> Table:
        """Deal these cards, in this order, instead."""
        self.game.deck[:] = deck
        set_up_game(self.games, 0, self.players)
        return self.refresh()

    def all_cards(self) -> Counter[str]:
        """Every card of the game wherever it is."""
        game = self.game
        place = game.hands.sum(0) + game.laid.sum(0) + game.bundle + game.market + game.gone
        for kind in game.deck[self.players * 4 : self.players * 4 + self.removed]:
            place[kind] += 1
        for kind in game.deck[game.drawn :]:
            place[kind] += 1
        return Counter(names(place).split())

    @property
    def removed(self) -> int:
        return {3: 4, 4: 12, 5: 2, 6: 4}[self.players]
