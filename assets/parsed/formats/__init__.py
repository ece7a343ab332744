"""The formats that are read: one small module each, all giving the same records with exact spans.

A module here offers one or more `Format`s: a probe that says how sure it is about a text, and a parser. To add a
format, write its module and name it in `assets/parsed/detection.py`. What formats share is in `layout.py` (lines and
blocks), `fields.py` (labels and shapes of a record) and `names.py` (lists of authors).
"""
