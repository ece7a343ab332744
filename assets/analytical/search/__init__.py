"""The search index: which words each paper holds, ready for the macro of sql/search.sql."""
