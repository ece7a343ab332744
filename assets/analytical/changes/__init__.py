"""Changes: what is new, revised, cut or gone, between two releases and between two snapshots of a list."""
