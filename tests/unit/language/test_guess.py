from __future__ import annotations

import pytest

from trilith.language.guess import is_english, share_of_others

TEXTS = {
    "en": "The starter is fed in the morning, and it rises in the warm corner of the kitchen by noon.",
    "en with code": "```py\nfür = die + der\n```\nThis is how we run the tests, and what to do when one of them fails on a branch.",
    "de": "Der Teig ruht über Nacht im Kühlschrank und wird am Morgen auf dem Stein gebacken. Das ist nicht schwer.",
    "fr": "La pâte est pétrie dans le bol, et les pains sont cuits sur la pierre pour une croûte qui chante.",
    "es": "La masa se deja en la nevera y los panes se hornean por la mañana con un poco de vapor.",
    "pt": "A massa fica na geladeira e os pães são assados de manhã com um pouco de vapor, que não é muito.",
    "nl": "Het deeg rust een nacht in de koelkast en het brood wordt op de steen gebakken met een beetje stoom.",
    "pl": "Ciasto jest na noc w lodówce i to się piecze z rana na kamieniu, ale nie za długo.",
    "sv": "Degen får vila i kylen och det är inte svårt att baka den på en sten med lite ånga.",
    "tr": "Hamur bir gece buzdolabında bekler ve bu ekmek için çok az maya ile taş üzerinde pişer.",
    "vi": "Bột được để qua đêm trong tủ lạnh và bánh không khó, có các bước này cho người mới.",
    "ru": "Тесто стоит ночь в холодильнике, утром хлеб печётся на камне.",
    "zh": "面团在冰箱里放一夜，早上在石板上烤面包。今天整理知识管理系统。",
    "ja": "生地は一晩冷蔵庫で休ませ、朝に石の上で焼きます。",
    "ar": "يترك العجين في الثلاجة ليلة كاملة ثم يخبز في الصباح على الحجر",
    "hi": "आटा रात भर फ्रिज में रहता है और सुबह पत्थर पर रोटी सेंकी जाती है",
    "th": "แป้งพักในตู้เย็นหนึ่งคืน แล้วอบบนหินตอนเช้า",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_language_is_told_from_english(name: str) -> None:
    assert is_english(TEXTS[name]) is name.startswith("en")


@pytest.mark.parametrize(
    "text", ["", "TODO", "buy milk", "a b c", "- [ ] x\n- [ ] y", "知识", "`der die das und nicht ist`"]
)
def test_of_too_little_nothing_is_said(text: str) -> None:
    assert is_english(text) is None


def test_a_share_counts_only_what_can_be_told() -> None:
    assert share_of_others([]) == share_of_others(["TODO"]) == 0.0
    assert share_of_others([TEXTS["en"], TEXTS["de"], TEXTS["zh"], "TODO", TEXTS["ru"]]) == 0.75
