"""Delivery of a small JSON object to a webhook, in bounded time; nothing of the address is ever told."""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_AGENT = "Paperfold"


@dataclass(frozen=True)
class Patience:
    """How long a delivery is tried.

    Attributes:
        budget_seconds: After this time it is given up, whatever it is at: a run waits no longer.
        attempt_seconds: How long one attempt waits for the receiver.
        attempts: How often it is tried.
        pause_seconds: Pause before the second attempt; it doubles with each.
    """

    budget_seconds: float = 6.0
    attempt_seconds: float = 2.5
    attempts: int = 3
    pause_seconds: float = 0.4


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """An alert goes to the address that the settings name and to no other."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nothing."""


def deliver(url: str, payload: Mapping[str, Any], patience: Patience = Patience()) -> str | None:
    """Post a JSON object; return None when the receiver took it, else why not, in words without the address.

    The work is done in a thread that is left behind when the budget is over, since neither a name that does not
    resolve nor a receiver that sends byte by byte is held by a socket's time-out.
    """
    outcome: list[str | None] = []
    sender = threading.Thread(target=lambda: outcome.append(_try(url, payload, patience)), daemon=True)
    sender.start()
    sender.join(patience.budget_seconds)
    return outcome[0] if outcome else f"no answer within {patience.budget_seconds:g} seconds"


def _try(url: str, payload: Mapping[str, Any], patience: Patience) -> str | None:
    body = json.dumps(payload, ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json", "User-Agent": _AGENT}
    opener = urllib.request.build_opener(_NoRedirect)
    problem: str | None = None
    for attempt in range(patience.attempts):
        if attempt:
            time.sleep(patience.pause_seconds * 2 ** (attempt - 1))
        try:
            request = urllib.request.Request(url, body, headers)  # noqa: S310 - the settings take http and https alone
            with opener.open(request, timeout=patience.attempt_seconds):
                return None
        except urllib.error.HTTPError as error:
            problem = f"the receiver answered {error.code}"
            error.close()
            if error.code < 500 and error.code not in (408, 425, 429):
                return problem
        except TimeoutError:
            problem = "the receiver did not answer in time"
        except urllib.error.URLError as error:
            is_late = isinstance(error.reason, TimeoutError)
            reason = error.reason.strerror if isinstance(error.reason, OSError) else None
            problem = "the receiver did not answer in time" if is_late else f"no connection ({reason or 'unknown'})"
        except (OSError, ValueError, http.client.HTTPException) as error:
            # Only its kind: the text of some of these quotes the address.
            problem = f"{type(error).__name__} while sending"
    return f"{problem}, tried {patience.attempts} times"
