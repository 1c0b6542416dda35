"""What a person does on the page, and what the page then shows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from tests.benchmark import write_benchmark
from tests.browser.opened import Opened, asking
from tests.server.running import DOCUMENTS, Running, running

from esens import Decomposition, Example, Exclusion, Searcher
from esens.cli.demo import EXAMPLES
from esens.cli.main import main
from esens.server.keys import new_key
from esens.types import Document

PROPERTY, SUBJECT = EXAMPLES[:2]
Open = Callable[..., Opened]


def _vinegar(open_page: Open, **options: Any) -> Opened:
    opened = open_page(asking(PROPERTY), **options)
    opened.page.wait_for_selector("#esens .card")
    return opened


def test_an_example_shows_both_rankings_side_by_side(open_page: Open, demo_searcher: Searcher) -> None:
    opened = open_page()
    assert opened.page.is_visible("#intro")
    with opened.answer():
        opened.page.click(f"text={PROPERTY}")
    opened.page.wait_for_selector("#esens .card")
    plain, ours = demo_searcher.search(PROPERTY, beta=0), demo_searcher.search(PROPERTY)
    assert opened.ids("plain") == list(plain.ids)
    assert opened.ids() == list(ours.ids)
    assert "plain search hands out 6 that you excluded; esens none" in opened.text("#verdict")
    assert opened.text("#why") == "Read by rules, 95 % sure: “but nothing with” says what is to be left out."
    flagged = demo_searcher.search(PROPERTY, mode="flag")
    excluded = [hit.id for hit in flagged if hit.explanation.is_excluded]
    assert opened.page.eval_on_selector_all("#plain .card.is-bad", "all => all.map(e => e.dataset.id)") == excluded
    assert opened.page.locator("#lines path.move-line").count() >= 10


def test_the_words_that_count_are_marked_and_quoted(open_page: Open, demo_searcher: Searcher) -> None:
    opened = _vinegar(open_page)
    said = {hit.id: hit.explanation.evidence for hit in demo_searcher.search(PROPERTY, mode="flag")}
    for id_ in opened.ids("plain"):
        marks = opened.page.eval_on_selector_all(
            f"#plain [data-id={id_}] mark", "all => all.map(e => e.textContent)"
        )
        evidence = said[id_]
        assert evidence is not None
        assert bool(marks) == bool(evidence.quote)
        assert all(mark in evidence.quote for mark in marks)


def test_a_card_tells_the_terms_of_its_score(open_page: Open, demo_searcher: Searcher) -> None:
    opened = _vinegar(open_page)
    first = demo_searcher.search(PROPERTY)[0]
    label = opened.page.get_attribute("#esens .card .bar", "aria-label")
    assert label == f"Score {first.score:.3f}: relevance {first.score:.3f}, less 0.000 for what is excluded"
    opened.page.click("#esens .card summary")
    assert first.text in opened.text("#esens .card .why")
    assert first.id in opened.text("#esens .card .why dl")


@pytest.mark.parametrize("query", [PROPERTY, SUBJECT])
def test_the_slider_ranks_as_python_does_without_asking_again(
    open_page: Open, demo_searcher: Searcher, query: str
) -> None:
    opened = open_page(asking(query))
    opened.page.wait_for_selector("#esens .card")
    for mode in ("soft", "hard", "flag"):
        opened.page.check(f"[name=mode][value={mode}]", force=True)
        for beta in (0, 0.25, 1, 2, 3.5):
            opened.set_beta(beta)
            assert opened.ids() == list(demo_searcher.search(query, beta=beta, mode=mode).ids)
    assert len(opened.searches) == 1


@pytest.mark.parametrize("query", [PROPERTY, SUBJECT])
def test_the_score_in_javascript_is_that_of_python_to_the_last_bit(
    open_page: Open, demo_searcher: Searcher, query: str
) -> None:
    candidates = json.loads(demo_searcher.search(query, candidates=100).to_json())["candidates"]
    script = (
        "async ([c, options]) => { const m = await import('/static/score.js'); return m.rank(c, options).best; }"
    )
    page = open_page().page
    for beta in (0.3, 1.7, 2.0):
        best = page.evaluate(script, [candidates, {"beta": beta, "k": 10}])
        results = demo_searcher.search(query, beta=beta)
        assert [each["score"] for each in best] == [hit.score for hit in results]
        assert [each["rank"] for each in best] == [hit.rank for hit in results]


def test_hard_lists_what_was_left_out_with_the_quote(open_page: Open, demo_searcher: Searcher) -> None:
    opened = _vinegar(open_page)
    opened.page.check("[name=mode][value=hard]", force=True)
    removed = demo_searcher.search(PROPERTY, mode="hard").removed
    rows = opened.page.locator("#removed li").all_inner_texts()
    assert len(rows) == len(removed) > 0
    for row, hit in zip(rows, removed, strict=True):
        assert hit.title in row
        assert hit.explanation.evidence is not None
        assert hit.explanation.evidence.quote in row
    assert "left out" in opened.text("#plain .card.is-bad .place")


def test_flag_keeps_the_order_and_marks(open_page: Open) -> None:
    opened = _vinegar(open_page)
    opened.page.check("[name=mode][value=flag]", force=True)
    assert opened.ids() == opened.ids("plain")
    assert (
        opened.page.locator("#esens .card.is-bad").count()
        == opened.page.locator("#plain .card.is-bad").count()
        > 0
    )
    assert "marks them" in opened.text("#verdict")


def test_chips_are_removed_added_edited_and_switched(open_page: Open, demo_searcher: Searcher) -> None:
    opened = _vinegar(open_page)
    page = opened.page

    def expect(target: str, *exclusions: Exclusion) -> None:
        opened.settle()
        split = Decomposition(target, exclusions=exclusions)
        assert opened.ids() == list(demo_searcher.search(PROPERTY, decomposition=split).ids)

    with opened.answer():
        page.click(".remove")
    page.wait_for_selector(".chip.is-excluded", state="detached")
    expect("salad dressings")
    assert "both rankings are the same" in opened.text("#verdict")
    page.click("#add-exclusion")
    page.keyboard.type("yoghurt")
    with opened.answer():
        page.keyboard.press("Enter")
    page.wait_for_selector(".relation")
    expect("salad dressings", Exclusion("yoghurt"))
    page.fill(".is-excluded .chip-text", "mustard")
    with opened.answer():
        page.press(".is-excluded .chip-text", "Enter")
    opened.settle()
    expect("salad dressings", Exclusion("mustard"))
    assert opened.text(".relation").startswith("without")
    with opened.answer():
        page.click(".relation")
    page.wait_for_selector("text=not about")
    expect("salad dressings", Exclusion("mustard", "about", is_decided=True))
    page.fill(".is-wanted .chip-text", "green salads")
    with opened.answer():
        page.press(".is-wanted .chip-text", "Enter")
    opened.settle()
    expect("green salads", Exclusion("mustard", "about", is_decided=True))
    assert opened.text("#why") == "As you changed it."


def test_fewer_like_this_excludes_by_example(open_page: Open, demo_searcher: Searcher) -> None:
    opened = _vinegar(open_page)
    first = opened.ids()[0]
    with opened.answer():
        opened.page.click("#esens .card >> text=Fewer like this")
    opened.page.wait_for_selector(".chip.is-like")
    opened.settle()
    assert opened.ids() == list(demo_searcher.search(PROPERTY, exclude=[Example(first)]).ids)
    assert first not in opened.ids()
    assert opened.page.evaluate("document.activeElement.className") == "remove"
    with opened.answer():
        opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".chip.is-like", state="detached")
    opened.settle()
    assert opened.ids()[0] == first


def test_the_address_restores_all_of_it_and_back_goes_back(open_page: Open) -> None:
    opened = _vinegar(open_page)
    page = opened.page
    with opened.answer():
        page.click(".relation")
    opened.settle()
    with opened.answer():
        page.click("#esens .card >> text=Fewer like this")
    page.wait_for_selector(".chip.is-like")
    opened.settle()
    page.check("[name=mode][value=hard]", force=True)
    opened.set_beta(3)
    again = open_page(page.url.removeprefix(opened.url).lstrip("/"))
    again.page.wait_for_selector("#esens .card")
    for selector in ("#esens", "#plain", "#chips", "#verdict", "#beta-value", "#removed"):
        assert again.text(selector) == opened.text(selector)
    assert again.page.is_checked("[name=mode][value=hard]")
    assert again.page.input_value(".chip.is-excluded input") == "vinegar"
    opened.search("tea")
    with opened.answer():
        page.go_back()
    page.wait_for_selector(".chip.is-like")
    assert page.input_value("#query") == PROPERTY


def test_where_nothing_is_excluded_nothing_changes(open_page: Open) -> None:
    opened = open_page()
    opened.search("salad dressings")
    assert opened.ids() == opened.ids("plain")
    assert "both rankings are the same" in opened.text("#verdict")
    assert not opened.page.is_visible("#controls")


def test_another_collection_has_no_examples_that_make_no_sense(open_page: Open) -> None:
    opened = open_page()
    assert opened.page.is_visible("#examples")
    opened.page.select_option("#collection", "other")
    assert not opened.page.is_visible("#examples")
    opened.search("tea without milk")
    assert "Tea with lemon." in opened.text("#esens .card")
    assert "in=other" in opened.page.url


def test_a_stopped_service_is_told_and_tried_again(open_page: Open, demo_searcher: Searcher) -> None:
    with running({"demo": demo_searcher}) as state:
        opened = open_page(url=state.url)
        opened.search("tea")
    opened.expects_errors = True
    opened.page.press("#query", "Enter")
    opened.page.wait_for_selector("#error:visible")
    assert "The service does not answer." in opened.text("#error")
    assert opened.page.is_visible("#error >> text=Try again")
    assert opened.page.get_attribute("#search", "aria-busy") == "false"


def test_what_the_service_refuses_is_said_in_words(open_page: Open, service: Running) -> None:
    opened = open_page()
    opened.expects_errors = True
    opened.search("x" * 4001)
    assert opened.text("#error p") == "The query: has 4,001 characters. Send at most 4,000 (max_query_chars)."
    opened.search("tea")
    assert not opened.page.is_visible("#error")


def test_a_key_is_asked_for_and_stays_out_of_the_address(open_page: Open, demo_searcher: Searcher) -> None:
    key, stored = new_key(["read"])
    with running({"demo": demo_searcher}, keys=(str(stored),)) as state:
        opened = open_page(asking("tea"), url=state.url)
        opened.expects_errors = True
        page = opened.page
        page.wait_for_selector("#key-form:visible")
        page.fill("#key", "esens_wrong")
        page.press("#key", "Enter")
        page.wait_for_selector("text=This service needs a key.")
        page.fill("#key", key)
        with opened.answer():
            page.press("#key", "Enter")
        page.wait_for_selector("#esens .card")
        assert not page.is_visible("#key-form")
        assert key not in page.url + page.content() + "".join(opened.requests)
        assert page.evaluate("JSON.stringify(localStorage) + document.cookie") == "{}"
        page.reload()
        page.wait_for_selector("#esens .card")
        page.click("#forget-key")
        page.wait_for_selector("#key-form:visible")
        assert page.evaluate("JSON.stringify(sessionStorage)") == "{}"
        page.close()


def test_by_keyboard_alone(open_page: Open, demo_searcher: Searcher) -> None:
    opened = open_page()
    page, press = opened.page, opened.page.keyboard.press

    def tab_to(selector: str) -> None:
        for _ in range(60):
            press("Tab")
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
        raise AssertionError(f"no way by Tab to {selector}")

    press("Tab")
    press("Enter")  # skip to the search box
    page.keyboard.type(PROPERTY)
    with opened.answer():
        press("Enter")
    page.wait_for_selector("#esens .card")
    opened.settle()
    tab_to(".relation")
    with opened.answer():
        press("Space")
    opened.settle()
    tab_to("[name=mode]")
    press("ArrowRight")
    assert page.is_checked("[name=mode][value=hard]")
    tab_to("#beta")
    press("Home")
    page.wait_for_selector("#beta-value >> text=/^0.00$/")
    assert opened.ids() == list(demo_searcher.search(PROPERTY, beta=0).ids)
    press("End")
    page.wait_for_selector("#beta-value >> text=/^4.00$/")
    tab_to("#esens summary")
    press("Enter")
    page.wait_for_selector("#esens .why")  # filled by the event "toggle", which comes later than the key


HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script> "
    "javascript:alert(1) \u202egnp.exe\u202c & &lt;b&gt; </article> salad with vinegar"
)


def test_a_hostile_document_is_text(open_page: Open) -> None:
    documents: list[Any] = [
        Document("<b>&\"'x", HOSTILE, f"<h1>{HOSTILE}", {"<i>": "<script>1</script>"}),
        *DOCUMENTS,
    ]
    searcher = Searcher.from_documents(documents)
    with running({"<none>".strip("<>"): searcher}) as state:
        opened = open_page(url=state.url)
        opened.search("salad <script>alert(1)</script> without vinegar")
        page = opened.page
        assert opened.page.text_content("#plain [data-id*='<b>'] h3") == f"<h1>{HOSTILE}"
        page.click("#plain [data-id*='<b>'] summary")
        assert HOSTILE in page.text_content("#plain [data-id*='<b>'] .why")
        assert page.locator("#answer img, #answer script, #answer h1, #answer b").count() == 0
        assert page.title().startswith("esens")
        box, column = (page.locator(each).bounding_box() for each in ("#plain [data-id*='<b>'] h3", "#plain"))
        assert box["x"] + box["width"] <= column["x"] + column["width"]
        assert page.eval_on_selector("#plain h3", "e => getComputedStyle(e).unicodeBidi") == "isolate"
        page.click("#plain [data-id*='<b>'] >> text=Fewer like this")
        page.wait_for_selector(".chip.is-like")
        page.close()


def test_a_narrow_screen_shows_one_ranking_at_a_time_and_never_scrolls_sideways(open_page: Open) -> None:
    opened = _vinegar(open_page, width=360)
    page = opened.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.is_visible("#esens .card")
    assert not page.is_visible("#plain .card")
    page.check("[name=side][value=plain]", force=True)
    assert page.is_visible("#plain .card")
    assert not page.is_visible("#esens .card")
    page.click("#plain .card summary")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.evaluate(
        "[...document.querySelectorAll('button, summary, input')].filter(e => e.offsetParent)"
        ".map(e => e.getBoundingClientRect()).filter(r => r.height > 1 && r.height < 24).length"
    )
    assert small == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_nobody_is_shut_out(open_page: Open, scheme: str, width: int) -> None:
    opened = open_page(color_scheme=scheme, width=width)
    _scan(opened)
    opened.search(SUBJECT)
    opened.page.check("[name=mode][value=hard]", force=True)
    opened.page.click("#esens .card summary")
    _scan(opened)
    opened.page.click("#view-frontier")
    _scan(opened)


def _scan(opened: Opened) -> None:
    found = Axe().run(opened.page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found] == []


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a real evaluation of a small benchmark writes."""
    folder = tmp_path_factory.mktemp("evaluation")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        benchmark = str(write_benchmark(folder / "drinks"))
        methods = "plain,itlr,esens"
        assert main(["evaluate", benchmark, "--methods", methods, "--json", str(folder / "run.json")]) == 0
    return folder / "run.json"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_point_of_the_frontier_shows_its_beta(
    open_page: Open, demo_searcher: Searcher, evaluation: Path, scheme: str
) -> None:
    figures = json.loads(evaluation.read_text())
    with running({"demo": demo_searcher}, evaluation=str(evaluation)) as state:
        opened = open_page("#view=frontier", url=state.url, color_scheme=scheme)
        page = opened.page
        page.wait_for_selector(".plot")
        _scan(opened)
        for name, curve in figures["frontier"].items():
            page.select_option("#curve", label=name)
            page.focus("#curve-beta")
            page.keyboard.press("Home")
            for at in range(3):
                told = opened.text(".point")
                assert told.startswith(f"β {curve['beta'][at]:.2f} {name}: recall ")
                assert told.endswith(f"violation {curve['avg_violation'][at]:.3f}".replace(" 0.", " ."))
                page.keyboard.press("ArrowRight")
        page.dispatch_event(".dot >> nth=70", "pointerenter")  # other points may stand where this one does
        betas = [beta for curve in figures["frontier"].values() for beta in curve["beta"]]
        assert opened.text(".point").startswith(f"β {betas[70]:.2f} ")
        rows = page.locator("#frontier tbody tr").all_inner_texts()
        assert [row.split("\t")[0] for row in rows] == list(figures["methods"])
        assert page.locator(".method").count() == len(rows)
        page.close()


def test_without_an_evaluation_the_frontier_says_how_to_have_one(open_page: Open) -> None:
    opened = open_page()
    opened.page.click("#view-frontier")
    assert "esens evaluate my-benchmark --json run.json" in opened.text("#frontier")
    assert opened.page.url.endswith("#view=frontier")


def test_dark_is_dark(open_page: Open) -> None:
    script = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert max(open_page(color_scheme="dark").page.evaluate(script)) < 60
    assert min(open_page(color_scheme="light").page.evaluate(script)) > 230


def test_cards_glide_only_where_motion_is_wanted(open_page: Open) -> None:
    for wanted, motion in ((False, "reduce"), (True, "no-preference")):
        opened = _vinegar(open_page, reduced_motion=motion)
        opened.set_beta(0)
        assert bool(opened.page.evaluate("document.getAnimations().length")) == wanted


def test_landmarks_and_live_regions_are_there(open_page: Open) -> None:
    opened = _vinegar(open_page)
    for role in ("banner", "navigation", "main", "search", "contentinfo"):
        assert opened.page.get_by_role(role).count() == 1
    opened.set_beta(0)
    assert "esens 6" in opened.page.text_content("#status")
