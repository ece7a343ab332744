"""Vectors: papers as weighted terms, the common ground of similar papers and topics."""
