"""What Paperfold makes, one package per layer in the order of the flow.

contract <- raw <- parsed <- folded <- analytical <- release: a layer imports the contract and the layers
before it, never one after it. Inside a layer the pure modules take and return Polars or Arrow data and know
nothing of Dagster; `asset.py` alone wraps them.
"""
