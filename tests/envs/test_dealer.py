"""Chance as a player: it can bring what the rules can bring, with the same chance, and nothing else."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations
from math import prod

import pytest

from fogline.envs.dealer import FIRST_TICKET, Dealer, outcome_text
from fogline.game.actions import board_actions
from fogline.game.events import Event
from fogline.game.game import Game
from fogline.game.record import audit
from fogline.game.refusals import IllegalAction
from fogline.maps.board import Board
from fogline.maps.mapfile import CARDS
from tests.boards import BOARDS, load_board
from tests.game.test_view import with_other_secrets
from tests.policies import action_weights, choose
from tests.seeds import seeds
from tests.tree import Tree


def random_walk(dealer: Dealer, generator: random.Random) -> Iterator[Dealer]:
    """Random play to the end: the dealer at every decision, and at the end."""
    while True:
        while dealer.outcomes:
            outcomes, chances = zip(*dealer.outcomes, strict=True)
            dealer.deal(generator.choices(outcomes, chances)[0])
        yield dealer
        if dealer.dealt.over:
            return
        dealer.play(generator.choice(dealer.dealt.legal_numbers()))


def dealt(board: Board, players: int, seed: int) -> Dealer:
    return next(random_walk(Dealer(board, players), random.Random(seed)))


def chance_of(board: Board, events: Iterable[Event], offered: set[str]) -> Iterator[int]:
    """What chance brought in these events: first the cards, then the tickets that were never offered before."""
    events = list(events)
    for event in events:
        if event["e"] in ("deal", "display"):
            yield from map(CARDS.index, event["cards"])
        elif event["e"] == "flip" or (event["e"] == "draw" and event["from"] == "deck"):
            yield CARDS.index(event["card"])
    for ticket in (ticket for event in events if event["e"] == "offer" for ticket in event["tickets"]):
        if ticket not in offered:
            offered.add(ticket)
            yield FIRST_TICKET + board.ticket_number[ticket]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS)
def test_any_game_of_the_engine_can_be_dealt_again_with_its_own_chance(board: str, players: int) -> None:
    for seed in seeds(3 if board == "san_francisco" else 15):
        generator = random.Random(seed)
        game, dealer = Game(load_board(board), players=players, seed=seed), Dealer(load_board(board), players)
        weights, offered = action_weights(game.board, generator), set[str]()
        for outcome in chance_of(game.board, game.events, offered):
            dealer.deal(outcome)
        while not game.over:
            deck, whole = game.position.deck.tolist(), game.position.deck_count
            number = choose(game.legal_numbers(), weights, generator)
            events = game.play(number)
            dealer.play(number)
            if number == 0:  # a card from the deck
                assert dict(dealer.outcomes) == {card: count / whole for card, count in enumerate(deck) if count}
            for outcome in chance_of(game.board, events, offered):
                assert sum(chance for _, chance in dealer.outcomes) == pytest.approx(1)
                dealer.deal(outcome)
            assert not dealer.outcomes
        assert dealer.dealt.events == game.events
        assert dealer.dealt.scores() == game.scores()


@pytest.mark.parametrize("players", [2, 4])
def test_after_every_action_chance_has_the_branches_that_whole_trees_are_counted_by(players: int) -> None:
    board, seen = load_board("tiny"), 0
    tree = Tree(board)
    for seed in seeds(4):
        for dealer in random_walk(Dealer(board, players), random.Random(seed)):
            for number in dealer.dealt.legal_numbers():
                if str(board_actions(board)[number]) == "draw tickets" or "keep" in str(board_actions(board)[number]):
                    continue  # the trees have one order of tickets
                expected = tree._after(dealer.dealt.position.snapshot(), number)
                assert sorted(plain(tree, snapshot) for snapshot in expected) == sorted(
                    plain(tree, branch.dealt.position.snapshot()) for branch, _ in branches(dealer, number)
                )
                seen += len(expected)
    assert seen > 100


def plain(tree: Tree, snapshot: bytes) -> bytes:
    """A position without its generator."""
    tree.position.restore(snapshot)
    tree.position.array["chance"] = 0
    return tree.position.snapshot()


def branches(dealer: Dealer, number: int) -> Iterator[tuple[Dealer, Fraction]]:
    """Every way that chance can go after an action, with its chance."""
    first = dealer.fork()
    first.play(number)
    yield from settled(first, Fraction(1))


def settled(dealer: Dealer, chance: Fraction) -> Iterator[tuple[Dealer, Fraction]]:
    if not dealer.outcomes:
        yield dealer, chance
    for outcome, share in dealer.outcomes:
        branch = dealer.fork()
        branch.deal(outcome)
        yield from settled(branch, chance * Fraction(share).limit_denominator(100))


def test_every_deal_has_the_chance_of_a_shuffled_deck() -> None:
    """All deals of the cards on the tiny map, against all orders of its eight cards."""
    board = load_board("tiny")
    orders: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    deck = [card for card, count in enumerate(board.map_file.cards) for _ in range(count)]
    for order in permutations(deck):
        orders[order] += Fraction(1, prod(range(1, 9)))
    found: dict[tuple[int, ...], Fraction] = {}
    waiting: list[tuple[tuple[int, ...], Fraction, Dealer]] = [((), Fraction(1), Dealer(board, 2))]
    while waiting:
        cards, chance, dealer = waiting.pop()
        if dealer.outcomes[0][0] >= FIRST_TICKET:
            found[cards] = chance
            continue
        for outcome, share in dealer.outcomes:
            branch = dealer.fork()
            branch.deal(outcome)
            waiting.append(((*cards, outcome), chance * Fraction(share).limit_denominator(100), branch))
    assert sum(found.values()) == 1
    for cards, chance in found.items():  # two players and the display need no more than all eight
        assert chance == sum(share for order, share in orders.items() if order[: len(cards)] == cards)


def test_tickets_come_as_from_a_shuffled_deck_and_those_put_back_come_last_in_their_order() -> None:
    board = load_board("tiny")
    draw_tickets = [str(action) for action in board_actions(board)].index("draw tickets")
    dealer = dealt(board, 2, seed=1)
    put_back: list[str] = []
    fresh = len(board.tickets) - 2
    while len(put_back) < 6:
        offer = dealer.dealt.view(dealer.dealt.seat).offer
        if offer:
            put_back.append(offer[1])
            dealer.play(dealer.dealt.legal_numbers()[0])  # keep first
        elif draw_tickets in dealer.dealt.legal_numbers():
            dealer.play(draw_tickets)
        else:
            dealer.play(dealer.dealt.legal_numbers()[0])
        while dealer.outcomes:
            if dealer.outcomes[0][0] >= FIRST_TICKET:
                assert [chance for _, chance in dealer.outcomes] == pytest.approx([1 / fresh] * fresh)
                assert not {outcome_text(board, outcome) for outcome, _ in dealer.outcomes} & set(put_back)
                fresh -= 1
            dealer.deal(dealer.outcomes[-1][0])
        if fresh == 0 and dealer.dealt.view(dealer.dealt.seat).offer:
            again = dealer.dealt.view(dealer.dealt.seat).offer
            if again[0] in put_back:
                assert list(again) == put_back[:2]
                return
    pytest.fail("no ticket came round again")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_that_are_dealt_so_break_no_rule(players: int) -> None:
    for seed in seeds(5):
        *_, dealer = random_walk(Dealer(load_board("tiny"), players), random.Random(seed))
        assert audit(dealer.dealt.record()).finished


def test_what_is_impossible_is_refused_and_changes_nothing() -> None:
    dealer = Dealer(load_board("tiny"), 2)
    with pytest.raises(ValueError, match=r"chance cannot bring 1: 0 \(blue\), 4 \(red\), 6 \(ferry\)"):
        dealer.deal(1)
    with pytest.raises(ValueError, match="chance must deal first"):
        dealer.play(0)
    with pytest.raises(ValueError, match="not dealt yet"):
        dealer.dealt  # noqa: B018
    assert dealer.view(0) is None
    assert dealer.observation(0) is None
    dealer = dealt(load_board("tiny"), 2, seed=1)
    before = str(dealer)
    with pytest.raises(IllegalAction, match=r"2\.5"):
        dealer.play(0)
    with pytest.raises(ValueError, match="it has no say now"):
        dealer.deal(0)
    assert str(dealer) == before


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["san_francisco", "tiny"])
def test_a_resampled_game_agrees_with_all_that_the_seat_has_seen_and_with_nothing_else(
    board: str, players: int
) -> None:
    generator = random.Random(players)
    others = set()
    for step, dealer in enumerate(random_walk(Dealer(load_board(board), players), generator)):
        if dealer.dealt.over or step % 5:
            continue
        for seat in range(players):
            sample = dealer.resample(seat, seed=step)
            assert sample.view(seat) == dealer.view(seat)
            assert sample.dealt.legal_numbers() == dealer.dealt.legal_numbers() or seat != dealer.dealt.seat
            changed = dealer.fork()
            changed.game = with_other_secrets(dealer.dealt, seat, generator)
            assert changed.resample(seat, seed=step).dealt.position.snapshot() == sample.dealt.position.snapshot()
            other = (seat + 1) % players
            others.add(sample.dealt.position.tickets_of(other) == dealer.dealt.position.tickets_of(other))
    assert False in others  # they are samples


@pytest.mark.parametrize("players", [2, 4])
def test_a_resampled_game_can_be_played_to_its_end_and_every_seat_has_a_view_of_it(players: int) -> None:
    generator = random.Random(9)
    for start in random_walk(Dealer(load_board("tiny"), players), random.Random(2)):
        if start.dealt.over:
            break
        sample = start.resample(0, seed=3)
        for dealer in random_walk(sample, generator):
            for seat in range(players):
                view = dealer.view(seat)
                assert view is not None
                assert view.hand == dealer.dealt.position.hand_of(seat)
                assert view.tickets == dealer.dealt.position.tickets_of(seat)
            kept = {ticket for seat in range(players) for ticket in dealer.dealt.position.tickets_of(seat)}
            assert not kept & {outcome_text(dealer.board, outcome) for outcome, _ in dealer._fresh_tickets()}
            assert dealer.observation(0) is not None
            if not dealer.dealt.over:
                with pytest.raises(ValueError, match="what seat 0 believes"):
                    dealer.observation(1)


def test_at_the_end_there_is_nothing_to_sample_and_while_chance_deals_nobody_can() -> None:
    dealer = Dealer(load_board("tiny"), 2)
    with pytest.raises(ValueError, match="deal first"):
        dealer.resample(0, seed=1)
    *_, dealer = random_walk(dealer, random.Random(1))
    assert dealer.resample(0, seed=1).dealt.position.snapshot() == dealer.dealt.position.snapshot()
