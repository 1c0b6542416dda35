"""How results look to a person, and the words that explain a hit.

Rich is imported on first use: whoever never prints never pays for it.
"""

import io
import shutil
from typing import TYPE_CHECKING

from esens.text.plain import single_line
from esens.types import LIKE

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from esens.types import Decomposition, Evidence, Explanation, Hit, Results

MIN_WIDTH, MAX_WIDTH = 60, 120
TEXT_SHOWN = 400
TITLE_SHOWN = 60
_RULED_OUT = {"about": "documents about it", "has": "documents that have it", LIKE: "documents like it"}
_NEARER = "unusually near to “{}” for a document that fits so well"


def as_text(renderable: "RenderableType") -> str:
    """Return what rich would print, without colour, for ``print`` and log files."""
    from rich.console import Console

    columns = shutil.get_terminal_size((100, 24)).columns
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=min(max(columns, MIN_WIDTH), MAX_WIDTH),
        color_system=None,
        highlight=False,
        force_jupyter=False,  # in a notebook rich would display instead of writing to the stream
    )
    console.print(renderable)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())


def results_table(results: "Results") -> "RenderableType":
    """Return the query, how it was read, and a row a hit."""
    from rich.console import Group
    from rich.text import Text

    head = [Text.assemble(("query    ", "dim"), single_line(results.query))]
    if results.decomposition.traps:
        head.append(Text.assemble(("wanted   ", "dim"), (single_line(results.decomposition.target), "green")))
    excluded = " | ".join(
        filter(None, (excluded_line(results.decomposition), *map(single_line, results.ruled_out)))
    )
    if excluded:
        head.append(Text.assemble(("excluded ", "dim"), (excluded, "red")))
    if results.scoring.is_plain:
        head.append(Text(f"{_plain_reason(results)}: plain retrieval", style="dim"))
    body: list[RenderableType] = [_hits_table(results) if results.hits else Text("no results", style="italic")]
    note = [Text(single_line(results.note), style="yellow")] if results.note else []
    return Group(*head, *body, *map(_removed_line, results.removed), *note)


def excluded_line(split: "Decomposition") -> str:
    """Return what is excluded in one line, and which documents that rules out, where the query told it."""
    items = (
        f"{e.text} ({_RULED_OUT[e.relation]})" if e.relation in _RULED_OUT else e.text for e in split.exclusions
    )
    return single_line(" | ".join(items))


def _plain_reason(results: "Results") -> str:
    """Say why this is plain retrieval; where a cue was there and was doubted, which one."""
    split = results.decomposition
    if split.traps:
        return "the exclusion has no weight"
    doubt = f" ({single_line(split.reason)})" if split.reason and split.confidence < 1 else ""
    return f"nothing {'else ' if results.ruled_out else ''}is excluded{doubt}"


def _removed_line(hit: "Hit") -> "Text":
    from rich.text import Text

    why = hit.explanation
    return Text.assemble(
        (f"left out, was {_was(why.rank_before)}: ", "red"),
        (single_line(hit.title or hit.text)[:TITLE_SHOWN], "bold"),
        (f"  {single_line(hit.id)}", "dim"),
        f"  {single_line(why.finding)}",
    )


def _hits_table(results: "Results") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for name in ("rank", "was", "score", "relevance", "penalty"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("document", ratio=1, overflow="fold")
    for hit in results.hits:
        why = hit.explanation
        numbers = (f"{value:.3f}" for value in (hit.score, why.relevance, why.penalty))
        style = "red" if why.is_excluded else ""
        table.add_row(str(hit.rank), _was(why.rank_before), *numbers, document_cell(hit), style=style)
    return table


def _was(rank: int | None) -> str:
    return "–" if rank is None else str(rank)


def document_cell(hit: "Hit") -> "Table":
    """Return the id, the title in bold and one line of the text, cut to the width there is."""
    from rich.table import Table
    from rich.text import Text

    lines = Table.grid()
    lines.add_column(no_wrap=True, overflow="ellipsis")
    text, title, name = single_line(hit.text[:TEXT_SHOWN]), single_line(hit.title), single_line(hit.id)
    if hit.explanation.is_excluded:
        lines.add_row(Text(f"excluded: {single_line(hit.explanation.finding)}", style="red"))
    if title:
        lines.add_row(Text.assemble((title, "bold"), (f"  {name}", "dim")))
        lines.add_row(Text(text, style="dim"))
    else:
        lines.add_row(Text.assemble((f"{name}  ", "dim"), text))  # first, for the end of a line may be cut
    return lines


def explanation_line(why: "Explanation") -> str:
    """Return an explanation in one line: how the document moved, how relevant it is, what it lost and why."""
    return f"{_move(why)}: relevance {why.relevance:.3f}{_price(why)}"


def finding_of(why: "Explanation") -> str:
    """Return why a document counts as excluded or does not: what its text says, or what its vector shows."""
    if why.trap is None:
        return "nothing is excluded"
    if why.evidence is None:
        return _aboutness(why)
    if why.relation == LIKE:
        return _likeness(why)
    if why.evidence.stance == "mentioned":
        return f"only mentions “{why.evidence.kind or why.trap}”{why.evidence.words}{why.evidence.teller}"
    if why.evidence.stance == "silent":
        return (
            _NEARER.format(why.trap) if why.penalty_share else f"nothing in its text says that it has “{why.trap}”"
        )
    kind = _as_kind(why.evidence.kind, why.trap) if why.evidence.kind else ""
    affirms = "has" if why.relation == "has" else "is about"
    verb = "says it lacks" if why.evidence.stance == "denied" else affirms
    return f"{verb} “{why.evidence.kind or why.trap}”{kind}{why.evidence.words}{why.evidence.teller}"


def _aboutness(why: "Explanation") -> str:
    """Return whether a document is about a thing: its name in the title says so; a vector only what is nearer."""
    if not why.penalty_share:
        return f"not about “{why.trap}”"
    return f"about “{why.trap}”" if why.name_overlap else f"nearer to “{why.trap}” than to what is wanted"


def _as_kind(kind: str, thing: str) -> str:
    """Return how a kind stands to the thing: almonds are a kind of nuts, but Paris is no kind of France."""
    return (
        f", which belongs to “{thing}”" if kind[:1].isupper() and thing[:1].isupper() else f", a kind of {thing}"
    )


def _likeness(why: "Explanation") -> str:
    if why.evidence is not None and why.evidence.stance == "affirmed":
        return f"the example itself, “{why.trap}”"
    return _NEARER.format(why.trap) if why.penalty_share else f"not like “{why.trap}”"


def _move(why: "Explanation") -> str:
    if why.is_excluded:
        return f"excluded, rank {why.rank_before} in plain retrieval"
    if why.rank_before is None:
        return f"rank {why.rank_after}"
    if why.rank_after == why.rank_before:
        return f"rank {why.rank_after}, as before"
    return f"rank {why.rank_before} → {why.rank_after}"


def _price(why: "Explanation") -> str:
    """Return what a document pays, in the words of the score that it pays by."""
    if why.trap is None:
        return ", no penalty"
    if why.penalty_share is None:
        return _linear_price(why)
    evidence = why.evidence
    if evidence is None or (why.relation not in ("has", LIKE) and not evidence.told_by):
        return _contrast_price(why)
    return _property_price(why, evidence)


def _linear_price(why: "Explanation") -> str:
    similarities = f"similarity {why.query_similarity:.3f} to the query, {why.trap_similarity:.3f} to “{why.trap}”"
    return f" − penalty {why.penalty:.3f} ({similarities})"


def _property_price(why: "Explanation", evidence: "Evidence") -> str:
    """Return what the text says, or what is taken from the vectors where it says nothing."""
    if why.relation not in ("has", LIKE) and evidence.stance != "affirmed":
        return f"{_loss(why)}; it is not about “{why.trap}”{evidence.teller}"
    loss = _loss(why) if why.penalty or not why.penalty_share else f", would lose {why.penalty_share:.0%}"
    says_something = evidence.stance != "silent" and why.relation != LIKE
    is_by_vector = bool(why.penalty_share) or why.relation == LIKE
    subject = "it " if says_something else "it is " if is_by_vector else ""
    return f"{loss}; {subject}{finding_of(why)}"


def _contrast_price(why: "Explanation") -> str:
    """Return both sides, and the share of the relevance that they cost, or would: "flag" takes nothing."""
    ignored = ", a mention in passing not counted" if why.mention_ignored else ""
    sentence = f"; its best sentence: {why.sentence}" if why.sentence else ""
    return (
        f"{_loss(why)} (nearness {why.target_nearness:.2f} to what is wanted, "
        f"{why.trap_nearness:.2f} to “{why.trap}”{_naming(why)}{ignored}{_doubt(why)}){sentence}"
    )


def _loss(why: "Explanation") -> str:
    if not why.penalty_share:
        return ", no penalty"
    share = f"{max(why.penalty_share, 0.01):.0%}"
    if why.penalty:
        return f" − penalty {why.penalty:.3f}, {share} of its relevance"
    return f", would lose {share}"


def _doubt(why: "Explanation") -> str:
    """Say why a document that is nearer to the excluded side pays nothing: by its cosines it is not."""
    is_nearer = (why.trap_nearness or 0.0) > (why.target_nearness or 0.0)
    return ", but not by its cosines" if is_nearer and not why.penalty_share else ""


def _naming(why: "Explanation") -> str:
    quote = why.evidence.words if why.evidence else ""
    if why.name_overlap == 1:
        return f", which its title or opening names{quote}"
    return f", {why.name_overlap:.0%} of whose name is in its title or opening{quote}" if why.name_overlap else ""
