"""Facts with spans: what a paper's text names, cites and claims. Rules over one text; no state, no other table."""
