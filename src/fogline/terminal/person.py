"""A person at the terminal: a player like any other, with a view and a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fogline.game.actions import Action, ActionError, Claim
from fogline.game.refusals import Refusal
from fogline.game.view import View
from fogline.terminal.choices import Choice, claim_choices, list_choices, payment_choices
from fogline.terminal.commands import Command, find_command
from fogline.terminal.prompts import heading, prompt
from fogline.terminal.screen import MOST_CLAIMS, Screen
from fogline.terminal.story import tell_all
from fogline.terminal.typed import Wanted, understand

BACK = ("", "0", "back")
WHOLE_SCREEN = ("keep_first_tickets", "turn")
"""Decisions that begin a turn; before the others the person has just seen everything."""


class Leave(Exception):
    """The person wants to leave the game."""


class Person:
    """`why_not` says why an action is not legal, as `Game.why_not` does."""

    name = "You"
    description = "you, at the keyboard"

    def __init__(self, screen: Screen, read: Callable[[str], str], why_not: Callable[[Action], Refusal | None]) -> None:
        self.screen = screen
        self.read = read
        self.why_not = why_not
        self.told = 0  # how many events
        self.question = ""
        self.choices: list[Choice] = []

    def choose(self, view: View) -> Action:
        """Asks until the answer is a legal action."""
        if view.phase in WHOLE_SCREEN:
            self.screen.title(heading(view))
            self.screen.overview(view, explained=not self.told)
        self.tell(view, "Meanwhile" if self.told else "So far")
        if view.phase == "second_card":
            self.screen.hand(view)
        self._ask(view)
        while True:
            action = self._answer(self._read(), view)
            if action is not None:
                return action

    def tell(self, view: View, title: str = "") -> None:
        """Tells the events since the last time."""
        sentences = tell_all(self.screen.words, view.events[self.told :])
        self.told = len(view.events)
        self.screen.news(title, sentences)

    # Asking.

    def _ask(self, view: View) -> None:
        """Lists all possible actions."""
        self._offer(prompt(view), list_choices(view, self.screen.look, self.screen.words))

    def _offer(self, question: str, choices: list[Choice], most: int = MOST_CLAIMS) -> None:
        self.question, self.choices = question, choices
        self.screen.choices(choices, question, most)

    def _read(self) -> str:
        try:
            return self.read("> ").strip()
        except EOFError:
            raise Leave from None

    # Answers.

    def _answer(self, reply: str, view: View) -> Action | None:
        """The chosen action; None when there is more to ask."""
        if reply.lower() in BACK:
            self._ask(view)
            return None
        if reply.isdecimal() and len(reply) < 4:
            return self._numbered(int(reply))
        word, _, rest = reply.partition(" ")
        command = find_command(word.lower())
        if command is not None:
            self._run(command, view, rest.strip().lower())
            return None
        return self._typed(reply, view)

    def _numbered(self, number: int) -> Action | None:
        if not 1 <= number <= len(self.choices):
            self._again(f"There is no choice {number}: they go from 1 to {len(self.choices)}.")
            return None
        return self._one_of(self.choices[number - 1].actions)

    def _one_of(self, actions: Sequence[Action]) -> Action | None:
        """The action, or a question about its payment."""
        if len(actions) == 1:
            return actions[0]
        claims = [action for action in actions if isinstance(action, Claim)]
        route = self.screen.words.route(claims[0].route)
        self._offer(f"How do you pay for {route}? Type a number, or an empty line to go back.", payment_choices(claims))
        return None

    def _typed(self, text: str, view: View) -> Action | None:
        wanted = self._understood(text, view)
        if wanted is None:
            return None
        legal = [action for action in wanted.actions if action in view.legal_actions]
        claims = [action for action in legal if isinstance(action, Claim)]
        if not legal:
            self._again(self._reason(wanted))
            return None
        if wanted.sure and len({claim.route for claim in claims}) < 2:
            return self._one_of(legal)
        choices = claim_choices(claims, view, self.screen.look, self.screen.words)
        self._offer("Which route? Type a number, or an empty line to go back.", choices, len(choices))
        return None

    def _understood(self, text: str, view: View) -> Wanted | None:
        try:
            return understand(text, view)
        except ActionError as error:
            self._again(f"{error}. Type help to see what you can write.")
            return None

    def _reason(self, wanted: Wanted) -> str:
        action = wanted.actions[0]
        refusal = self.why_not(action)
        if refusal is None:
            return f"{action} is legal"
        subject = "That" if refusal.rule == "1.1" else str(action)  # 1.1: there is no such place
        return f"{subject} is not possible: {refusal.reason} (rule {refusal.rule})."

    def _again(self, refusal: str) -> None:
        self.screen.refuse(refusal)
        self.screen.say(self.question)

    # Commands.

    def _run(self, command: Command, view: View, rest: str) -> None:
        if command.run is not None:
            command.run(self.screen, view, rest)
            self.screen.say(f"\n{self.question} An empty line shows the choices again.")
        else:
            _OWN[command.names[0]](self, view, rest)

    def _more(self, view: View, rest: str) -> None:
        self._offer(self.question, self.choices, len(self.choices))

    def _why(self, view: View, rest: str) -> None:
        if not rest:
            self._again("Write why and an action, such as: why pass.")
            return
        wanted = self._understood(rest, view)
        if wanted is None:
            return
        if any(action in view.legal_actions for action in wanted.actions):
            self.screen.say(f"You can do that now: {rest}.")
        else:
            self._again(self._reason(wanted))

    def _quit(self, view: View, rest: str) -> None:
        self.screen.say("Leave this game? Type y to leave, or anything else to go on.")
        if self._read().lower() in ("y", "yes"):
            raise Leave
        self._ask(view)


_OWN: dict[str, Callable[[Person, View, str], None]] = {"more": Person._more, "why": Person._why, "quit": Person._quit}
