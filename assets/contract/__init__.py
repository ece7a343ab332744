"""The contract: what each table holds, what a check reports, how ids are made, where things lie in a data folder.

Everything that users may rely on is described here once. Types, validation, Parquet field descriptions,
database comments, the column schema in the Dagster UI and the data dictionary are all derived from it.
Nothing here imports another layer or knows how a table is filled.
"""
