"""`why` and `show` say what folding says, in words and figures."""

from hypothesis import given
from hypothesis import strategies as st

from assets.folded.explain import Side, explain_pair, word_diff
from assets.folded.settings import FoldingSettings
from tests.folded.test_lookalikes import BREAD, REVISED, ROUTES

RULE = FoldingSettings()


def test_a_revision_is_explained_by_its_figures_and_words() -> None:
    found = explain_pair(Side(ROUTES), Side(REVISED), RULE)
    assert (found.folds, found.kind) == (True, "revised")
    assert found.jaccard is not None
    assert 0.8 < found.jaccard < 1
    assert "18" in found.only_a
    assert "21" in found.only_b
    assert found.reasons[0] == "They fold: revised."


def test_print_and_equal_copies_have_their_kind() -> None:
    assert explain_pair(Side(ROUTES), Side(ROUTES), RULE).kind == "exact"
    assert explain_pair(Side(ROUTES), Side(ROUTES.upper()), RULE).kind == "markup"
    assert explain_pair(Side(ROUTES), Side(ROUTES[:150] + " ..."), RULE).kind == "truncated"


def test_unlike_texts_do_not_fold() -> None:
    found = explain_pair(Side(ROUTES), Side(BREAD), RULE)
    assert (found.folds, found.kind, found.conflict) == (False, None, None)
    assert found.reasons[0] == "They do not fold."


def test_a_conflict_names_its_ground() -> None:
    found = explain_pair(Side(ROUTES, "Two plans for one round"), Side(ROUTES, "Loaves and fairs"), RULE)
    assert found.conflict == "same_text_other_title"
    assert any("titles differ" in reason for reason in found.reasons)


def test_records_without_text_are_told_apart_by_title_and_authors() -> None:
    one = Side(title="Two plans for one round", authors=["Ada Muster"])
    assert explain_pair(one, Side(ROUTES, "Two plans for one round", ["A. Muster"]), RULE).kind == "same_title"
    assert not explain_pair(one, Side(ROUTES, "Two plans for one round", ["Ben Muster"]), RULE).folds


@given(st.text("ab ", max_size=30), st.text("ab ", max_size=30))
def test_a_diff_holds_both_texts(old: str, new: str) -> None:
    diff = word_diff(old, new)
    for dropped, whole in (("added", old), ("removed", new)):
        assert " ".join(words for edit, words in diff if edit != dropped).split() == whole.split()
