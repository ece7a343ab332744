"""The contract: what each table holds, what a check reports, how ids are made.

Everything that users may rely on is described here once. Types, validation, Parquet field descriptions,
database comments, the column schema in the Dagster UI and the data dictionary are all derived from it.
Nothing here reads a file or imports another layer.
"""
