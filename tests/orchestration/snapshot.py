"""Every asset and check as text, so that a change of key, group, dependency, kind, check or description is reviewed.

`python -m tests.orchestration.snapshot` writes `assets.txt` anew.
"""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from orchestration.definitions import build_defs

SNAPSHOT = Path(__file__).with_name("assets.txt")


def describe_assets(defs: dg.Definitions) -> str:
    """Return all asset specs with their checks, group by group in the order of the flow, one fact a line."""
    graph = defs.resolve_asset_graph()
    lines = []
    for key in graph.toposorted_asset_keys:
        node = graph.get(key)
        lines += [
            f"{node.group_name}/{key.to_user_string()}",
            f"  {node.description}",
            f"  kinds: {', '.join(sorted(node.kinds))}",
            f"  reads: {', '.join(sorted(parent.to_user_string() for parent in node.parent_keys)) or 'the sources'}",
        ]
        for check_key in sorted(node.check_keys, key=lambda check: check.name):
            spec = graph.get_check_spec(check_key)
            lines.append(f"  check {spec.name} ({'ERROR, blocks' if spec.blocking else 'WARN'}): {spec.description}")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    SNAPSHOT.write_text(describe_assets(build_defs()), encoding="utf-8")
