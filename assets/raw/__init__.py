"""Raw: what files the sources have at this moment, each stored once under its content."""
