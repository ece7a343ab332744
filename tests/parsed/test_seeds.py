"""The three shared lists of one conference: what must come out of them."""


def test_the_shared_lists_are_read_whole(shared, read) -> None:
    contents = {path.name: path.read_bytes() for path in sorted((shared / "seeds").glob("*.txt"))}
    got = read(contents)
    assert (got.documents.height, got.occurrences.height, got.rejects.height) == (3, 49, 0)
    assert got.documents["heading"].to_list() == ["NeurIPS 2026 论文列表"] * 2 + ["NeurIPS 2026 Papers"]
    assert got.documents["language"].to_list() == ["zh", "zh", "en"]
    assert set(got.documents.select("venue", "year").iter_rows()) == {("NeurIPS", 2026)}
    assert set(got.documents["list_key"]) == {"neurips 2026"}
    assert got.documents["snapshot_at"].null_count() == 3
    assert got.occurrences["text"].n_unique() == 35
    assert set(got.occurrences["language"]) == {"en"}
