"""Release: one immutable, checked set of Parquet and DuckDB, published by one atomic swap."""
