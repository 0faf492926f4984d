"""What can go wrong, by name. Each message is one sentence that a player would understand."""


class ByzanzError(ValueError):
    """Something about a game, a record or an agent is not as it must be."""


class IllegalActionError(ByzanzError):
    """The seat on turn cannot do this now. The game is unchanged."""


class OutOfOrderError(ByzanzError):
    """A call that does not fit the moment: before `reset`, or after the end of the game."""


class DealError(ByzanzError):
    """The named cards are not a complete deal for this table."""


class RecordError(ByzanzError):
    """A game record that cannot be read, or does not replay to what it says."""


class AgentError(ByzanzError):
    """An agent that is unknown, cannot be made, or answered with something that is not an action."""
