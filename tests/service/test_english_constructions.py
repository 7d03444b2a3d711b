"""English constructions that the network gets wrong are read as others."""

from __future__ import annotations

import pytest

from service.pipeline.edits import apply
from service.pipeline.substitution.constructions.english import ENGLISH

READ = [
    ("He was told to wait.", "It was said to him that he should wait."),
    ("I've been told to stop smoking.", "It was said to me that I should stop smoking."),
    ("We were told that the train was late.", "We heard that the train was late."),
    ("We were given a different room.", "We received a different room."),
    ("I was sent the wrong item.", "I received the wrong item."),
    ("You will be sent an email.", "You will receive an email."),
    ("She was offered a job.", "Someone offered her a job."),
    ("I have been offered a new job.", "Someone has offered me a new job."),
    ("We were shown the house.", "Someone showed us the house."),
    ("I was charged 50 euros.", "I had to pay 50 euros."),
    ("I needn't go to work today.", "I don't need to go to work today."),
    ("He needn't know it.", "He doesn't need to know it."),
    ("I'm used to working at night.", "I am accustomed to working at night."),
    ("She isn't used to getting up early.", "She isn't accustomed to getting up early."),
    ("They made us wait for an hour.", "They forced us to wait for an hour."),
    ("He made me clean the kitchen.", "He forced me to clean the kitchen."),
    ("We get on well.", "We understand each other well."),
    ("They don't get along.", "They don't understand each other."),
    ("I'll pick you up at eight.", "I will pick you up at eight."),
    ("We're running out of time.", "We have almost no time left."),
    ("He's running out of money.", "He has almost no money left."),
    ("Had I known, I would have come.", "If I had known, I would have come."),
    ("Had you asked me, I would have helped you.", "If you had asked me, I would have helped you."),
    ("I'll take an umbrella in case it rains.", "I'll take an umbrella for the case that it rains."),
    ("Never put metal in the microwave.", "Do not put metal in the microwave."),
    ("Let's go to the beach, shall we?", "Let's go to the beach?"),
    ("Look out, there's a car coming!", "Be careful, there's a car coming!"),
    ("I was told the office was closed.", "I heard that the office was closed."),
    ("I was promised a refund.", "Someone promised me a refund."),
    ("I was charged twice for the same order.", "I had to pay twice for the same order."),
    ("You will be charged a fee.", "You will have to pay a fee."),
    ("He was fined 200 euros.", "He had to pay a fine of 200 euros."),
    ("Get 20% off your first order.", "Get a discount of 20% on your first order."),
    ("They have put up the rent again.", "They have increased the rent again."),
    ("Is there something wrong with my order?", "Is there a problem with my order?"),
    ("There is nothing wrong with the printer.", "There is no problem with the printer."),
    ("I'm sorry about the delay.", "I apologize for the delay."),
    ("We are sorry for the inconvenience.", "We apologize for the inconvenience."),
    ("Sorry for keeping you waiting.", "Sorry that you had to wait."),
    ("My car has broken down.", "My car no longer works."),
    ("We are out of milk.", "We have run out of milk."),
    ("The window won't open.", "The window cannot be opened."),
    ("My phone won't charge.", "My phone cannot be charged."),
    ("My car won't start this morning.", "My car does not start this morning."),
    ("I'll collect the children at three.", "I'll pick up the children at three."),
    ("The car crashed into a tree.", "The car drove against a tree."),
    ("The bus crashed into a truck.", "The bus collided with a truck."),
    ("When are you moving?", "When are you moving house?"),
    ("We are moving to Berlin next month.", "We are moving house to Berlin next month."),
    ("The meeting has been moved to Thursday.", "The meeting will now take place on Thursday."),
    ("Turn the key to the left.", "Rotate the key to the left."),
    ("Change the batteries every year.", "Replace the batteries every year."),
    ("We painted the walls yesterday.", "We repainted the walls yesterday."),
    ("I would like to return the shoes.", "I would like to send the shoes back."),
    ("Can I return them?", "Can I send them back?"),
    ("Can I extend my stay?", "Can I prolong my stay?"),
    ("You should see a doctor.", "You should go to a doctor."),
    ("I've been meaning to call you.", "I wanted to call you."),
    ("Would Tuesday at ten work for you?", "Would Tuesday at ten be good for you?"),
    ("Does 3 pm work for you?", "Would 3 pm be good for you?"),
    ("Friday works for me.", "Friday is okay for me."),
    ("Monday doesn't work for us.", "Monday is not possible for us."),
    ("Can you get me a glass of water?", "Can you bring me a glass of water?"),
    ("It's a five-minute walk from the station.", "It's five minutes on foot from the station."),
    ("Your letter dated 3 May has arrived.", "Your letter from 3 May has arrived."),
    ("As of 1 October the price is higher.", "From 1 October the price is higher."),
    ("The form is to be signed by both parties.", "The form must be signed by both parties."),
    ("The battery is low.", "The battery is almost empty."),
    ("My phone died.", "The battery of my phone was empty."),
    ("Have you heard from Anna lately?", "Have you heard from Anna recently?"),
    ("I haven't slept well lately.", "I haven't slept well in the last few weeks."),
    ("She left Berlin for good.", "She left Berlin forever."),
    ("Keep this medicine out of the reach of children.", "Make sure that children cannot reach this medicine."),
    ("Keep the windows closed.", "The windows must remain closed."),
    ("It was not so hard after all.", "In the end, it was not so hard."),
    ("I've had a cough for two weeks.", "For two weeks I've had a cough."),
    ("We were told not to park here.", "It was said to us that we should not park here."),
    ("I have been given a new laptop.", "I have received a new laptop."),
    ("You have been charged twice.", "You have paid twice."),
    ("He was fined for speeding.", "He had to pay a fine for speeding."),
    ("Save 20% on your first order.", "Get a discount of 20% on your first order."),
    ("They want to put up the prices.", "They want to increase the prices."),
    ("Sorry about the mistake.", "I apologize for the mistake."),
    ("The machines have broken down.", "The machines no longer work."),
    ("A driver will collect you at the airport.", "A driver will pick you up at the airport."),
    ("She saw a doctor yesterday.", "She went to a doctor yesterday."),
    ("Would Friday morning work?", "Would Friday morning be good?"),
    ("It is a 20 minute drive.", "It is 20 minutes by car."),
    ("My phone is dead.", "The battery of my phone is empty."),
]


def read(text: str) -> tuple[str, set[int]]:
    """What the network reads for a text, and the numbers of the constructions that are in it."""
    there = set()
    for number, construction in enumerate(ENGLISH):
        if edit := construction.find(text):
            text = apply(text, [edit]).text
            there.add(number)
    return text, there


@pytest.mark.parametrize(("text", "expected"), READ)
def test_what_is_read(text: str, expected: str) -> None:
    """A sentence of the same meaning."""
    assert read(text)[0] == expected


def test_none_is_without_an_example() -> None:
    """Each construction is in one of these sentences."""
    there = set().union(*(read(text)[1] for text, _ in READ))
    assert [one for number, one in enumerate(ENGLISH) if number not in there] == []


@pytest.mark.parametrize(
    "text",
    [
        "They were sent a week ago.",
        "He was charged with murder.",
        "He used to work here, and we get on the bus.",
        "I told him to wait, and he will return the call.",
        "Change the board filters in the panel.",
        "Returns the last item of the list.",
        "How does this work while the map is moving?",
        "He turned the page, and she paints every day.",
        "The company is a force for good.",
        "In case of fire, break the glass.",
        "Had enough? He won't open the door.",
        "They collect stamps and save 5% of the traffic.",
        "The text that is to be translated is short.",
    ],
)
def test_what_is_not(text: str) -> None:
    """The same words in another sense."""
    assert read(text)[0] == text
