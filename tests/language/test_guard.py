"""Forty planted faults in three scripts, and what must not be called a fault."""

import pytest

from assessment.language.guard import (
    CODES,
    check_alone,
    check_options_alone,
    check_pair,
    check_places,
)

NAMES = ["FLOPs", "CPU", "GPU", "NVMe", "FSDP", "bf16", "AdamW"]

API = "Which call applies checkpointing: torch.utils.checkpoint or torch.cuda.empty_cache()?"
API_BG = (
    "Кое извикване прилага контролни точки: torch.utils.checkpoint или torch.cuda.empty_cache()?"
)
API_FR = "Quel appel les applique : torch.utils.checkpoint ou torch.cuda.empty_cache() ?"
API_AR = "أي استدعاء يطبق نقاط الحفظ: torch.utils.checkpoint أم torch.cuda.empty_cache()؟"
PEAK = "With N = 36 layers the peak is 9.26 MiB, about 2*sqrt(N) activations, on one GPU."
PEAK_BG = "При N = 36 слоя пикът е 9,26 MiB, около 2*sqrt(N) активации, на един GPU."
PEAK_FR = "Avec N = 36 couches, le pic est de 9,26 MiB, environ 2*sqrt(N) activations, sur un GPU."
PEAK_AR = "مع N = 36 طبقة تبلغ الذروة 9.26 MiB أي نحو 2*sqrt(N) تنشيطات على GPU واحد."
SLOW = "A fixed slowdown of 20% for {model}, 16,384 bytes each, S + N/S of them."
SLOW_BG = "Постоянно забавяне от 20 % за {model}, по 16 384 байта всяко, S + N/S на брой."
SLOW_FR = "Un ralentissement fixe de 20 % pour {model}, de 16 384 octets chacun, S + N/S en tout."
SLOW_AR = "تباطؤ ثابت بنسبة 20% لكل {model}، بحجم 16,384 بايت لكل منها، وعددها S + N/S."
PROSE = "Recomputation stores fewer activations and computes them again when backward needs them."

CODE = "Set foreach=True with x = 4 + 8 - 2: 3 GFLOPs in 5 ms, {0} of {n:d}, zero_grad(), <b>s</b>."
CODE_BG = (
    "Задайте foreach=True при x = 4 + 8 - 2: 3 GFLOPs за 5 ms, {0} от {n:d}, zero_grad(), <b>s</b>."
)
CODE_FR = (
    "Avec foreach=True et x = 4 + 8 - 2 : 3 GFLOPs en 5 ms, {0} de {n:d}, zero_grad(), <b>s</b>."
)
CODE_WO = (
    "Jëlal foreach=True ak x = 4 + 8 - 2: 3 GFLOPs ci 5 ms, {0} ci {n:d}, zero_grad(), <b>s</b>."
)
LETTERS = "Selective recomputation keeps what is dear; s is the length and h the width."
LETTERS_BG = "Избирателното преизчисляване пази скъпото; s е дължината, а h е ширината."
PASSES = "Two passes of backward are needed, and the loss is the same as without them."
PASSES_FR = "Deux passes arrière sont nécessaires, et la perte est la même que sans elles."

CLEAN = [
    (CODE, CODE_BG, "bg"),
    (CODE, CODE_FR, "fr"),
    (CODE, CODE_WO, "wo"),
    (LETTERS, LETTERS_BG, "bg"),
    (PASSES, PASSES_FR, "fr"),
    (API, API_BG, "bg"),
    (API, API_FR, "fr"),
    (API, API_AR, "wo-Arab"),
    (PEAK, PEAK_BG, "bg"),
    (PEAK, PEAK_FR, "fr"),
    (PEAK, PEAK_AR, "wo-Arab"),
    (SLOW, SLOW_BG, "bg"),
    (SLOW, SLOW_FR, "fr"),
    (SLOW, SLOW_AR, "wo-Arab"),
]

PAIRS = [
    # An identifier is translated or gone.
    (API, API_BG, "torch.utils.checkpoint", "факла.utils.checkpoint", "bg", "identifier"),
    (API, API_BG, "torch.utils.checkpoint", "контролна точка", "bg", "identifier"),
    (API, API_FR, "torch.cuda.empty_cache()", "torche.cuda.vider_cache()", "fr", "identifier"),
    (API, API_AR, "torch.utils.checkpoint", "شعلة.utils.checkpoint", "wo-Arab", "identifier"),
    (API, API_AR, "torch.cuda.empty_cache()", "تفريغ الذاكرة", "wo-Arab", "identifier"),
    (PEAK, PEAK_FR, "GPU", "processeur graphique", "fr", "identifier"),
    (PEAK, PEAK_BG, "GPU", "графичен процесор", "bg", "identifier"),
    # Look-alike letters inside an identifier.
    (API, API_BG, "torch.utils", "t\u043erch.utils", "bg", "homoglyph"),
    (API, API_BG, "checkpoint", "\u0441heckpoint", "bg", "homoglyph"),
    (API, API_FR, "torch.utils", "t\u03bfrch.utils", "fr", "homoglyph"),
    (API, API_AR, "empty_cache", "empty_\u0441ache", "wo-Arab", "homoglyph"),
    (PEAK, PEAK_BG, "GPU", "GP\u0423", "bg", "homoglyph"),
    (PEAK, PEAK_FR, "MiB", "\u041ciB", "fr", "homoglyph"),
    # Another spelling of one identifier.
    (API, API_BG, "torch.utils.checkpoint", "Torch.Utils.Checkpoint", "bg", "two_renderings"),
    (API, API_FR, "torch.utils.checkpoint", "torch.utils.Checkpoint", "fr", "two_renderings"),
    # Numbers.
    (PEAK, PEAK_BG, "9,26", "92,6", "bg", "number"),
    (PEAK, PEAK_FR, "36", "63", "fr", "number"),
    (PEAK, PEAK_AR, "36", "٣٥", "wo-Arab", "number"),
    (SLOW, SLOW_BG, "16 384", "16 834", "bg", "number"),
    (SLOW, SLOW_FR, "de 16 384 octets", "de quelques octets", "fr", "number"),
    # Units.
    (PEAK, PEAK_BG, "MiB", "MB", "bg", "unit"),
    (PEAK, PEAK_FR, "MiB", "Mio", "fr", "unit"),
    (PEAK, PEAK_AR, "MiB", "GiB", "wo-Arab", "unit"),
    (SLOW, SLOW_BG, "20 %", "20", "bg", "unit"),
    # Formulas and variables.
    (PEAK, PEAK_BG, "2*sqrt(N)", "2*корен(N)", "bg", "formula"),
    (PEAK, PEAK_FR, "2*sqrt(N)", "2*racine(N)", "fr", "formula"),
    (SLOW, SLOW_BG, "N/S", "S/N", "bg", "formula"),
    (SLOW, SLOW_AR, "N/S", "N*S", "wo-Arab", "formula"),
    (PEAK, PEAK_BG, "N = 36", "Х = 36", "bg", "formula"),
    # Placeholders.
    (SLOW, SLOW_BG, "{model}", "{модел}", "bg", "placeholder"),
    (SLOW, SLOW_FR, "{model}", "{modele}", "fr", "placeholder"),
    (SLOW, SLOW_AR, "{model}", "", "wo-Arab", "placeholder"),
    # Direction marks and characters that nobody sees.
    (PEAK, PEAK_BG, "9,26", "\u202e9,26\u202c", "bg", "direction_mark"),
    (PEAK, PEAK_FR, "GPU", "\u200fGPU", "fr", "direction_mark"),
    (PEAK, PEAK_AR, "GPU", "\u2066GPU", "wo-Arab", "direction_mark"),
    (API, API_BG, "torch.utils", "torch.\u200butils", "bg", "hidden_character"),
    # Not translated at all, or in part.
    (PROSE, "", "", PROSE, "fr", "untranslated"),
    (PROSE, "", "", PROSE, "bg", "untranslated"),
    (PROSE, "", "", PROSE, "wo-Arab", "untranslated"),
    (
        PROSE,
        "",
        "",
        "Преизчисляването пази по-малко and computes them again when backward needs them.",
        "bg",
        "untranslated",
    ),
]

SUBTLE = [
    # Values, flags and operators of code and of sums.
    (CODE, CODE_BG, "foreach=True", "foreach=Вярно", "bg", "identifier"),
    (CODE, CODE_FR, "foreach=True", "foreach=False", "fr", "identifier"),
    (CODE, CODE_BG, "zero_grad()", "нулиране()", "bg", "identifier"),
    (CODE, CODE_FR, "4 + 8", "4 - 8", "fr", "formula"),
    (CODE, CODE_WO, "8 - 2", "8 + 2", "wo", "formula"),
    (SLOW, SLOW_BG, "S + N/S", "S - N/S", "bg", "formula"),
    # Prefixes of units, fields of templates, tags.
    (CODE, CODE_BG, "GFLOPs", "MFLOPs", "bg", "unit"),
    (CODE, CODE_FR, "5 ms", "5 s", "fr", "unit"),
    (CODE, CODE_BG, "5 ms", "5 \u00b5s", "bg", "unit"),
    (PEAK, PEAK_BG, "9,26 MiB", "9,26 МиБ", "bg", "unit"),
    (CODE, CODE_FR, "{0}", "{1}", "fr", "placeholder"),
    (CODE, CODE_BG, "{n:d}", "{n}", "bg", "placeholder"),
    (CODE, CODE_WO, "</b>", "", "wo", "placeholder"),
    # Single letters in the wrong script, either way.
    (LETTERS, LETTERS_BG, "h е", "\u0445 е", "bg", "formula"),
    (LETTERS, LETTERS_BG, "; s е", "; \u0441 е", "bg", "formula"),
    (PROSE, "", "", "Преизчисляването пази малко, a после смята пак c грешки.", "bg", "homoglyph"),
    (PEAK, PEAK_BG, "GPU", "\uff27\uff30\uff35", "bg", "homoglyph"),
    # Characters that nobody sees.
    (PEAK, PEAK_BG, "активации", "актив\u2062ации", "bg", "hidden_character"),
    (PEAK, PEAK_BG, "слоя", "слоя\ufffd", "bg", "hidden_character"),
    (PEAK, PEAK_AR, "GPU", "G\u200cPU", "wo-Arab", "hidden_character"),
    # A clause left in English.
    (
        PASSES,
        PASSES_FR,
        "et la perte est la même que sans elles",
        "and the loss is the same as without them",
        "fr",
        "untranslated",
    ),
]


def test_there_are_forty_faults_of_every_kind_in_three_scripts() -> None:
    assert len(PAIRS) >= 40
    assert {lang for *_, lang, _ in PAIRS} == {"bg", "fr", "wo-Arab"}
    planted = {code for *_, code in PAIRS} | {"half_damaged_options"}
    assert planted == set(CODES)


@pytest.mark.parametrize(("source", "clean", "old", "new", "lang", "code"), PAIRS + SUBTLE)
def test_a_planted_fault_is_found(
    source: str, clean: str, old: str, new: str, lang: str, code: str
) -> None:
    damaged = clean.replace(old, new, 1) if old else new
    assert damaged != clean
    found = check_places({"stem": (source, damaged)}, lang, names=NAMES)["stem"]
    assert code in {one.code for one in found}, found
    assert all(one.reason and one.excerpt for one in found)


@pytest.mark.parametrize(("source", "text", "lang"), CLEAN)
def test_a_clean_translation_has_no_finding(source: str, text: str, lang: str) -> None:
    assert check_places({"stem": (source, text)}, lang, names=NAMES) == {"stem": []}


def test_one_identifier_in_two_places_must_be_the_same_in_both() -> None:
    places = {
        "stem": ("What does torch.utils.checkpoint do?", "Какво прави torch.utils.checkpoint?"),
        "explanation:a": ("See torch.utils.checkpoint.", "Вижте факел.utils.checkpoint."),
    }
    found = check_places(places, "bg")
    assert found["stem"] == []
    assert "two_renderings" in {one.code for one in found["explanation:a"]}


def test_half_damaged_options_are_named_as_such() -> None:
    places = {
        "option:a": ("torch.utils.checkpoint", "torch.utils.checkpoint"),
        "option:b": ("torch.optim.SGD", "горелка.оптим.SGD"),
    }
    found = check_places(places, "bg")
    assert found["option:a"] == []
    assert "half_damaged_options" in {one.code for one in found["option:b"]}


def test_without_a_source_the_neighbours_show_the_damage() -> None:
    options = [
        "torch.utils.checkpoint",
        "горелка.оптим.SGD",
        "факла.nn.Отпадане",
        "torch.cuda.empty_cache",
    ]
    found = check_options_alone(options)
    assert [len(one) for one in found] == [0, 1, 1, 0]
    assert found[1][0].suggestion == "torch.?.SGD"
    assert "'torch' is also rendered as 'факла'" in found[1][0].reason


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("GPU-то, checkpoint-ите и FLOPs-ите не са сбъркани.", "bg"),
        ("и т.н., напр. слоевете, т.е. всички", "bg"),
        ("N-слойна верига (вж. по-горе)", "bg"),
        ("L'optimiseur AdamW, p. ex. avec bf16", "fr"),
        ("Aktiwasioŋ Rekomputaasioŋ Quiz, ëpp ñaar", "wo"),
        ("مع\u200cها فقط", "wo-Arab"),
        ("مع \u2066torch.utils.checkpoint\u2069 فقط", "wo-Arab"),
    ],
)
def test_ordinary_text_has_no_finding(text: str, lang: str) -> None:
    assert check_alone(text, lang) == []


@pytest.mark.parametrize(
    ("source", "text", "lang"),
    [
        ("Gradient checkpointing", "Gradient checkpointing", "fr"),
        ("torch.utils.checkpoint", "torch.utils.checkpoint", "bg"),
        ("O(N squared) for all parameters", "O(N на квадрат) за всички параметри", "bg"),
        ("It costs 1,234.5 ms", "Струва 1 234,5 ms", "bg"),
        ("and/or the layer(s)", "и/или слоят", "bg"),
        ("20-30% of it", "20 à 30 % de cela", "fr"),
        ("See e.g. the x-axis on p. 3", "Вижте напр. оста x на с. 3", "bg"),
        ("Chains A and B; A is long.", "Вериги A и B; A е дълга.", "bg"),
        ("Memory at 16 bits, 8-bit moments", "Памет при 16 бита, 8-битови моменти", "bg"),
        ("It costs $5 and 1/3 of it", "Il coûte 5 $ et 1/3 de cela", "fr"),
        ("The 2nd pass takes 5 s.", "2-рото преминаване отнема 5 s.", "bg"),
        ("Only GPUs and FLOPs count", "Seuls les GPU et les FLOPs comptent", "fr"),
    ],
)
def test_good_translations_pass(source: str, text: str, lang: str) -> None:
    assert check_pair(source, text, lang, names=NAMES) == []
