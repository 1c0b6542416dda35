"""What is left out because it is named for the excluded thing is shown with the words that name it."""

import pytest

import esens

ABOUT_AIRPORTS = [
    {"id": "title", "title": "Dayton International Airport", "text": "An airport in Ohio."},
    {"id": "opening", "text": "Dayton International Airport is an airport north of Dayton, in Ohio."},
    {"id": "columbus", "title": "Columbus Airport", "text": "An airport in Ohio, for Columbus."},
    {"id": "akron", "title": "Akron Airport", "text": "An airport in Ohio, for Akron."},
    {"id": "cleveland", "title": "Cleveland Airport", "text": "An airport in Ohio, for Cleveland."},
]


@pytest.mark.parametrize("cue", ["excluding", "without"])
def test_what_is_named_for_the_excluded_is_shown_with_its_name(cue: str) -> None:
    searcher = esens.Searcher.from_documents(ABOUT_AIRPORTS)
    results = searcher.search(f"airports in Ohio, {cue} Dayton International Airport", mode="hard")
    found = {hit.id: hit.explanation for hit in results.removed}
    said = {name: why.evidence for name, why in found.items()}
    assert {name: evidence and evidence.quote for name, evidence in said.items()} == {
        "title": "Dayton International Airport",
        "opening": "Dayton International Airport is an airport",
    }
    assert all(evidence and (evidence.stance, evidence.start) == ("affirmed", 0) for evidence in said.values())
    assert found["title"].finding == "is about “Dayton International Airport”: “Dayton International Airport”"
    assert "nearness" in str(found["title"])
    assert all(hit.explanation.evidence is None for hit in results)


def test_a_name_beside_the_excluded_is_shown() -> None:
    documents = [
        {"id": "writer", "title": "Ann Lee", "text": "A chemist."},
        {"id": "drug", "title": "Novalgin", "text": "A drug for pain."},
        {"id": "other", "title": "Aspirin", "text": "Another drug for pain."},
    ]
    searcher = esens.Searcher.from_documents(documents)
    results = searcher.search("What is the drug Novalgin, excluding the discovery by Ann Lee?", mode="hard")
    out = {hit.id: hit.explanation.evidence for hit in results.removed}
    assert out["writer"] == esens.Evidence("affirmed", "Ann Lee", 0)
