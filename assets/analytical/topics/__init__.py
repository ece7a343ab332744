"""Topics: what the papers are about, as a small number of named topics."""
