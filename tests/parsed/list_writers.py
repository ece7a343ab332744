"""Writes invented papers as every format writes them: what the tests of reading read back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    title: str
    authors: tuple[str, ...]
    abstract: str
    number: int = 1


PAPERS = (
    Paper(
        "Ferries and trains",
        ("Ada Beispiel", "Ben Muster"),
        "Ferries that wait for late trains lose less time than those that do not. We watch nine ferries for a "
        "year and "
        "compare their delays with the delays of the trains. The rule saves eleven minutes a day on slow lines, "
        "and it "
        "is easy to keep in mind for a captain who has a timetable at hand.",
        1,
    ),
    Paper(
        "Moss, a roof story",
        ("Eva Voorbeeld",),
        "Moss on roofs keeps attics cool in summer and dry in winter, or so the owners say. We measure forty "
        "attics with "
        "and without moss over two years. Attics under moss are two degrees cooler in July, and in January we "
        "find no "
        "difference at all between the two kinds of roof.",
        2,
    ),
    Paper(
        "Street musicians choose their places",
        ("Cecilia Exempel", "Dario Ejemplo", "Jean-Luc O'Voorbeeld"),
        "Street musicians choose their places by ear, by sun and by the smell of bread. We interview thirty of "
        "them and "
        "map their places hour by hour. Bread explains more of the map than sun does, and the ear explains the "
        "rest of "
        "it, as we show with a small model.",
        3,
    ),
)
HEADING = "ToyConf 2026 Papers"


def reversed_name(name: str) -> str:
    given_names, _, family = name.rpartition(" ")
    return f"{family}, {given_names}" if given_names else family


def wrapped(text: str, width: int, indent: str) -> str:
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) + 1 > width and line:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return f"\n{indent}".join([*lines, line])


def blocks(papers):
    return "\n\n".join([HEADING, *(p.abstract for p in papers)]) + "\n"


def titled_blocks(papers):
    return "\n\n".join([HEADING, *(f"{p.title}\n\n{', '.join(p.authors)}\n\n{p.abstract}" for p in papers)]) + "\n"


def records_in_blocks(papers):
    return "\n\n".join([HEADING, *(f"{p.title}\n{', '.join(p.authors)}\n{p.abstract}" for p in papers)]) + "\n"


def ruled(papers):
    return f"{HEADING}\n" + "".join(f"{p.title}\n{', '.join(p.authors)}\n{p.abstract}\n{'*' * 30}\n" for p in papers)


def labelled(papers):
    return f"{HEADING}\n\n" + "\n".join(
        f"Title: {p.title}\nAuthors: {', '.join(p.authors)}\nAbstract: {p.abstract}\nKeywords: maps\n" for p in papers
    )


def labelled_zh(papers):
    return "ToyConf 2026 论文列表\n\n" + "\n".join(
        f"标题：{p.title}\n作者：{', '.join(p.authors)}\n摘要：{p.abstract}\n" for p in papers
    )


def numbered(papers):
    return f"{HEADING}\n" + "".join(
        f"{i}. {p.title}\n{', '.join(p.authors)}\n{p.abstract}\n\n" for i, p in enumerate(papers, 1)
    )


def markdown_sections(papers):
    return "".join(
        f"# {p.title} \n\n**Authors**: {', '.join(p.authors)}  \n\n**Link**: "
        f"[PDF](https://arxiv.org/pdf/2601.0000{p.number}v2)"
        f"  \n\n**Abstract**: {p.abstract} \n\n---\n"
        for p in papers
    )


def markdown_zh(papers):
    return "# ToyConf 2026 论文列表\n\n" + "".join(
        f"## {p.number}. {p.title}\n\n**作者**：{', '.join(p.authors)}\n\n"
        f"**链接**：https://arxiv.org/abs/2601.0000{p.number}\n\n"
        f"**摘要**：{p.abstract}\n\n"
        for p in papers
    )


def markdown_quotes(papers):
    return "# ToyConf 2026 Papers\n\n" + "".join(
        f"## [{p.title}](https://openreview.net/forum?id=Toy{p.number}Pap_er)\n*{', '.join(p.authors)}*\n\n> "
        f"{p.abstract}\n\n"
        for p in papers
    )


def markdown_table(papers):
    rows = "".join(
        f"|**2026-05-0{p.number}**|**{p.title}**|{', '.join(p.authors)}|"
        f"[2601.0000{p.number}](http://arxiv.org/abs/2601.0000{p.number})"
        f"|{p.abstract}|\n"
        for p in papers
    )
    return f"# ToyConf 2026 Papers\n\n|Publish Date|Title|Authors|PDF|Abstract|\n|---|---|---|---|---|\n{rows}"


def markdown_items(papers):
    return "# ToyConf-2026-Papers\n\n## Boats and roofs\n" + "".join(
        f"* "
        f"[{p.title}](https://arxiv.org/abs/2601.0000{p.number})<br>:star:[code](https://github.com/toy/t{p.number})\n"
        f"  - **Authors**: {', '.join(p.authors)}\n  - **Abstract**: {p.abstract}\n"
        for p in papers
    )


def markdown_bold(papers):
    return "#### ToyConf 2026 Accepted Papers (3)\n\n" + "".join(
        f"**{p.title}**\\\n*{' · '.join(f'{a} (Toy University)' for a in p.authors)}*\n\n{p.abstract}\n\n"
        for p in papers
    )


def json_array(papers):
    return json.dumps(
        [
            {
                "id": f"Toy{p.number}Pap_er",
                "title": p.title,
                "abstract": p.abstract,
                "author": ";".join(p.authors),
                "site": f"https://openreview.net/forum?id=Toy{p.number}Pap_er",
            }
            for p in papers
        ],
        indent=1,
    )


def json_lines(papers):
    return "".join(
        json.dumps(
            {"title": p.title, "authors": list(p.authors), "abstract": p.abstract, "doi": f"10.1000/toy.{p.number}"}
        )
        + "\n"
        for p in papers
    )


def json_notes(papers):
    notes = [
        {
            "id": f"Toy{p.number}Pap_er",
            "content": {
                "title": {"value": p.title},
                "abstract": {"value": p.abstract},
                "authors": {"value": list(p.authors)},
            },
        }
        for p in papers
    ]
    return json.dumps({"notes": notes, "count": len(notes)})


def json_csl(papers):
    return json.dumps(
        {
            "message": {
                "items": [
                    {
                        "title": [p.title],
                        "abstract": f"<jats:p>{p.abstract}</jats:p>",
                        "author": [dict(zip(("given", "family"), a.rsplit(" ", 1), strict=False)) for a in p.authors],
                        "DOI": f"10.1000/toy.{p.number}",
                    }
                    for p in papers
                ]
            }
        }
    )


def ris(papers):
    return "".join(
        f"{p.number}.\nTY  - JOUR\nTI  - {p.title}\n"
        + "".join(f"AU  - {reversed_name(a)}\n" for a in p.authors)
        + f"SP  -\nAB  - {wrapped(p.abstract, 70, '')}\nDO  - 10.1000/toy.{p.number}\nER  - \n\n"
        for p in papers
    )


def medline(papers):
    return "".join(
        f"\nPMID- 9000000{p.number}\nOWN - NLM\nTI  - {wrapped(p.title, 30, '      ')}\nAB  - "
        f"{wrapped(p.abstract, 70, '      ')}\n"
        + "".join(f"FAU - {reversed_name(a)}\nAU  - {reversed_name(a).split(',')[0]} A\n" for a in p.authors)
        + f"LID - 10.1000/toy.{p.number} [doi]\n"
        for p in papers
    )


def wos(papers):
    return (
        "FN Clarivate Analytics Web of Science\nVR 1.0\n"
        + "".join(
            f"PT J\nAU {wrapped('; '.join(p.authors), 999, '')}\nAF "
            + "\n   ".join(reversed_name(a) for a in p.authors)
            + f"\nTI {wrapped(p.title, 30, '   ')}\nAB {p.abstract}\nDI 10.1000/toy.{p.number}\n"
            f"PM 9000000{p.number}\nER\n\n"
            for p in papers
        )
        + "EF\n"
    )


def endnote(papers):
    return "\n".join(
        f"%0 Journal Article\n%T {p.title}\n"
        + "".join(f"%A {reversed_name(a)}\n" for a in p.authors)
        + f"%D 2026\n%X {p.abstract}\n%K moss; boats\n%R 10.1000/toy.{p.number}\n"
        for p in papers
    )


def refworks(papers):
    return "\n".join(
        f"RT Journal Article\nSR 1\nID {p.number}\n"
        + "".join(f"A1 {reversed_name(a)}\n" for a in p.authors)
        + f"T1 {p.title}\nAB {p.abstract}\nDO 10.1000/toy.{p.number}\n"
        for p in papers
    )


def cnki(papers):
    return "\n\n".join(
        f"{{Reference Type}}: Journal Article\n{{Title}}: {p.title}\n{{Author}}: {';;'.join(p.authors)}\n"
        f"{{Abstract}}： Abstract(#br){p.abstract}\n{{DOI}}: 10.1000/toy.{p.number}\n"
        for p in papers
    )


def bibtex(papers):
    return "Toy export\n\n" + "\n\n".join(
        f"@article{{toy{p.number},\n  title = {{{{{p.title}}}}},\n  "
        f"author = {{{' and '.join(reversed_name(a) for a in p.authors)}}},\n"
        f'  abstract = {{{wrapped(p.abstract, 70, "   ")}}},\n  doi = "10.1000/toy.{p.number}",\n  year = 2026\n}}'
        for p in papers
    )


def csv_table(papers):
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"'

    rows = "".join(
        f"{quoted(p.title)},{quoted('; '.join(p.authors))},2026,{quoted(p.abstract)},10.1000/toy.{p.number}\r\n"
        for p in papers
    )
    return f"Title,Author Names,Year,Abstract,DOI\r\n{rows}"


def tsv_table(papers):
    rows = "".join(f"{p.number}\t{p.title}\t{list(p.authors)!r}\t{p.abstract}\n" for p in papers)
    return f"\ttitle\tauthors\tabstract\n{rows}"


def semicolons(papers):
    rows = "".join(f"{p.abstract.replace(';', ',')};{' and '.join(p.authors)};{p.title}\n" for p in papers)
    return f"abstract;authors;title\n{rows}"


def arxiv_mail(papers):
    return (
        "Date: Fri,  9 Jun 26 00:44:20 GMT\nSubject: toy daily\n\n"
        + f"{'-' * 78}\n"
        + "".join(
            f"{'-' * 78}\n\\\\\narXiv:2601.0000{p.number}\nDate: Wed, 7 Jun 2026 18:23:40 GMT   (14kb)\n\nTitle: "
            f"{wrapped(p.title, 30, '  ')}\n"
            f"Authors: {' and '.join(p.authors)}\nCategories: toy.AG\n\\\\\n  {wrapped(p.abstract, 75, '')}\n"
            f"\\\\ ( https://arxiv.org/abs/2601.0000{p.number} ,  14kb)\n"
            for p in papers
        )
        + "%%%---%%%---%%%---%%%---%%%---%%%---%%%---%%%---\nFor subscribe options, e-mail us\n"
    )


def front_matter(papers):
    p = papers[0]
    authors = "".join(f"- given: {a.rsplit(' ', 1)[0]}\n  family: {a.rsplit(' ', 1)[-1]}\n" for a in p.authors)
    abstract = wrapped(p.abstract, 70, "  ")
    return f"---\ntitle: '{p.title}'\nabstract: {abstract}\nlayout: inproceedings\nauthor:\n{authors}---\n"


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def xml_anthology(papers):
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n<collection id=\"toy\">\n<volume "
        'id="1"><meta><booktitle>Toy</booktitle></meta>\n'
        + "".join(
            f'<paper id="{p.number}"><title>{escaped(p.title)}</title>'
            + "".join(
                f"<author><first>{a.rsplit(' ', 1)[0]}</first><last>{a.rsplit(' ', 1)[-1]}</last></author>"
                for a in p.authors
            )
            + f"<abstract>{escaped(p.abstract)}</abstract><doi>10.1000/toy.{p.number}</doi></paper>\n"
            for p in papers
        )
        + "</volume></collection>\n"
    )


def xml_pubmed(papers):
    return (
        '<?xml version="1.0"?><PubmedArticleSet>'
        + "".join(
            f"<PubmedArticle><MedlineCitation><PMID>9000000{p.number}</PMID><Article><ArticleTitle>{escaped(p.title)}</ArticleTitle>"
            f"<Abstract><AbstractText>{escaped(p.abstract)}</AbstractText></Abstract><AuthorList>"
            + "".join(
                f"<Author><LastName>{a.rsplit(' ', 1)[-1]}</LastName>"
                f"<ForeName>{a.rsplit(' ', 1)[0]}</ForeName></Author>"
                for a in p.authors
            )
            + "</AuthorList></Article></MedlineCitation></PubmedArticle>"
            for p in papers
        )
        + "</PubmedArticleSet>"
    )


def atom(papers):
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>toy feed</title>\n'
        + "".join(
            f"<entry><id>http://arxiv.org/abs/2601.0000{p.number}v2</id><title>{escaped(p.title)}</title>"
            f"<summary>{escaped(p.abstract)}</summary>"
            + "".join(f"<author><name>{a}</name></author>" for a in p.authors)
            + "</entry>\n"
            for p in papers
        )
        + "</feed>\n"
    )


def html_page(papers):
    return (
        "<!DOCTYPE html>\n<html><head><title>Toy</title><script>var x = '<p>';</script></head><body>\n"
        "<nav><a href='/'>Home</a> <a href='/login'>Sign in</a></nav>\n<h1>ToyConf 2026 Papers</h1>\n"
        + "".join(
            f"<div class='paper'><h3><a "
            f"href='https://openreview.net/forum?id=Toy{p.number}Pap_er'>{escaped(p.title)}</a></h3>\n"
            f"<p class='authors'>{', '.join(p.authors)}</p>\n<p>{escaped(p.abstract)}</p></div>\n"
            for p in papers
        )
        + "<footer>© 2026 Toy. All rights reserved.</footer></body></html>\n"
    )


def proquest(papers):
    rule = "_" * 60
    contents = "\n\n".join(f"{p.number}. {p.title}" for p in papers)
    return (
        f"{rule}\n\nReport Information from ProQuest\nJune 01 2026 21:33\n{rule}\n\nTable of contents\n\n{contents}\n\n"
        + "".join(
            f"{rule}\n\nDocument {p.number} of 3\n\n{p.title}\n\n"
            f"Author: {'; '.join(reversed_name(a) for a in p.authors)}\n\n"
            f"http://search.example.org/docview/{p.number}\n\nAbstract: {p.abstract}\n\nSubject: Boats; Roofs\n\n"
            for p in papers
        )
    )


WRITERS: dict[str, tuple[str, Callable[[tuple[Paper, ...]], str]]] = {
    "blocks": ("text", blocks),
    "titled blocks": ("text", titled_blocks),
    "records in blocks": ("text", records_in_blocks),
    "rows of stars": ("text", ruled),
    "labels": ("text", labelled),
    "Chinese labels": ("text", labelled_zh),
    "numbers": ("text", numbered),
    "Markdown sections": ("markdown", markdown_sections),
    "Chinese Markdown": ("markdown", markdown_zh),
    "Markdown quotes": ("markdown", markdown_quotes),
    "pipe table": ("markdown", markdown_table),
    "list of links": ("markdown", markdown_items),
    "bold titles": ("markdown", markdown_bold),
    "JSON array": ("json", json_array),
    "JSON Lines": ("jsonl", json_lines),
    "OpenReview notes": ("json", json_notes),
    "CSL in an API reply": ("json", json_csl),
    "RIS": ("ris", ris),
    "MEDLINE": ("medline", medline),
    "Web of Science": ("wos", wos),
    "EndNote": ("endnote", endnote),
    "RefWorks": ("refworks", refworks),
    "CNKI": ("cnki", cnki),
    "BibTeX": ("bibtex", bibtex),
    "CSV": ("csv", csv_table),
    "TSV": ("tsv", tsv_table),
    "semicolons": ("csv", semicolons),
    "arXiv mailing": ("arxiv", arxiv_mail),
    "ProQuest report": ("proquest", proquest),
    "front matter": ("front_matter", front_matter),
    "Anthology XML": ("xml", xml_anthology),
    "PubMed XML": ("xml", xml_pubmed),
    "Atom feed": ("xml", atom),
    "web page": ("html", html_page),
}
