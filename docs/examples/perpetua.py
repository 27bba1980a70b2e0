"""Signs and sends Perpetua's operations. Python 3.9 or later, with the package `cryptography`; see sign_everything.py for their use.

Copy this file into your project. It has three parts: canonical JSON, signing, and a client with retries.
"""

import base64
import json
import math
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

# --- Canonical JSON (RFC 8785) -----------------------------------------------------------------------------------------

LARGEST_EXACT_INTEGER = 2**53 - 1


def canonical_json(value):
    """The one text of a JSON value that every language signs alike: sorted keys, no white space, numbers as ECMAScript writes them.

    Raises ValueError for values that other languages would read or write differently.
    """
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return canonical_text(value)
    if isinstance(value, int):
        if abs(value) > LARGEST_EXACT_INTEGER:
            raise ValueError(f"{value} is beyond 2^53, where JSON numbers are not exact: send it as a string")
        return str(value)
    if isinstance(value, float):
        return canonical_float(value)
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            raise ValueError("the names of an object must be strings")
        # RFC 8785 sorts by UTF-16 code units. Python's own order differs for characters beyond U+FFFF.
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{canonical_text(name)}:{canonical_json(value[name])}" for name in names) + "}"
    raise ValueError(f"a value of type {type(value).__name__} is not JSON: convert it first")


def canonical_text(text):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("a text contains half of a surrogate pair") from None
    return json.dumps(text, ensure_ascii=False)


def canonical_float(number):
    """ECMAScript's text of a float: 1.0 is 1, 1e-07 is 1e-7, 1e16 is 10000000000000000 (RFC 8785 §3.2.2.3).

    repr() gives the same shortest digits; only the place of the point and the exponent differ.
    """
    if not math.isfinite(number):
        raise ValueError(f"{number} is not a JSON number")
    if number == 0:
        if math.copysign(1, number) < 0:
            raise ValueError("-0.0 has no canonical form: send 0")
        return "0"
    if number.is_integer() and abs(number) > LARGEST_EXACT_INTEGER:
        raise ValueError(f"{number!r} is beyond 2^53, where JSON numbers are not exact: send it as a string")
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0)  # where the point is, counted from the first digit of `whole`
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        text = digits.ljust(point, "0")
        text = text if len(digits) <= point else f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        scientific = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
        text = f"{scientific}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    if float(text) != abs(number):
        raise ValueError(f"{number!r} does not survive its canonical form {text}")
    return sign + text


def without_duplicates(pairs):
    """For json.loads(text, object_pairs_hook=without_duplicates): of two equal keys, languages keep different ones."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("the JSON names a member twice")
    return members


# --- Keys and signatures -----------------------------------------------------------------------------------------------


class Key:
    """An Ed25519 key. Subclass it, with `public_key` and `sign`, to sign in an HSM."""

    def __init__(self, seed=None):
        self.seed = seed or secrets.token_bytes(32)
        self._private = Ed25519PrivateKey.from_private_bytes(self.seed)
        self.public_key = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()

    def sign(self, message):
        return self._private.sign(message)


def signed_body(key, function, fields, ledger_id, unsigned=None):
    """The body of a signed request. It is valid for five minutes, and once."""
    body = {
        **fields,
        "ledgerId": ledger_id,
        "nonce": secrets.token_urlsafe(24),
        "timestamp": datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    message = canonical_json({"function": function, **body})
    signature = base64.b64encode(key.sign(message.encode("utf-8"))).decode("ascii")
    return {**body, **(unsigned or {}), "signature": signature}


# --- The client --------------------------------------------------------------------------------------------------------


class PerpetuaError(Exception):
    """An error of the API: `code`, `status`, `details`, and `request_id` to quote to the operator."""

    def __init__(self, status, body, retry_after=None):
        super().__init__(body.get("error", f"status {status}"))
        self.status = status
        self.code = body.get("code", "UNEXPECTED_RESPONSE")
        self.details = body.get("details", {})
        self.request_id = body.get("request_id")
        self.retry_after = retry_after


class Perpetua:
    ATTEMPTS = 5
    LONGEST_WAIT = 30

    def __init__(self, url):
        self.url = url.rstrip("/")
        self.ledger_id = self.get("/api/ledger")["ledger_id"]

    def operate(self, key, function, fields, method="POST", path="", unsigned=None):
        """Signs an operation and sends it. After a lost response it sends the same bytes again: the nonce keeps it single.

        Returns the response. If only the first use is known, returns {"transactionId": …, "response_lost": True}.
        """
        body = signed_body(key, function, fields, self.ledger_id, unsigned)
        may_be_accepted = False
        for attempt in range(1, self.ATTEMPTS + 1):
            try:
                return self.send(method, path, body)
            except PerpetuaError as error:
                first_use = error.details.get("transactionId")
                if error.code == "NONCE_REUSED" and first_use:
                    return {"transactionId": first_use, "response_lost": True}
                if error.status not in (429, 502, 503, 504) or attempt == self.ATTEMPTS:
                    raise
                self.wait(attempt, error.retry_after)
                if error.status == 429 and not may_be_accepted:
                    # Counted and refused: only a new request can succeed, because the nonce may be used.
                    body = signed_body(key, function, fields, self.ledger_id, unsigned)
                may_be_accepted = may_be_accepted or error.status != 429
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                may_be_accepted = True
                if attempt == self.ATTEMPTS:
                    raise  # The outcome is unknown: read the state before sending it again.
                self.wait(attempt)
        raise AssertionError("unreachable")

    def decide(self, institute_key, path, body):
        """A decision of the institute: not signed, but authorized by one of its keys; the Idempotency-Key keeps it single."""
        headers = {"X-Institute-Key": institute_key, "Idempotency-Key": secrets.token_urlsafe(24)}
        return self.send("POST", path, body, headers)

    def signed_post(self, key, function, path, fields, unsigned=None):
        """A signed request without an entry, by POST."""
        return self.send("POST", path, {**signed_body(key, function, fields, self.ledger_id), **(unsigned or {})})

    def signed_get(self, key, function, path, fields, **filters):
        """A signed read by GET: the signature is in the headers. The filters are not signed."""
        body = signed_body(key, function, fields, self.ledger_id)
        in_headers = {
            "consentToken": "X-Consent-Token",
            "ledgerId": "X-Ledger-Id",
            "nonce": "X-Nonce",
            "timestamp": "X-Timestamp",
            "signature": "X-Signature",
        }
        headers = {header: body[name] for name, header in in_headers.items() if name in body}
        query = {name: value for name, value in fields.items() if name not in in_headers}
        return self.get(f"{path}?{urllib.parse.urlencode({**query, **filters})}", headers)

    def get(self, path, headers=None):
        return self.send("GET", path, None, headers)

    def send(self, method, path, body, headers=None):
        # The bytes that are sent are those that were signed: nothing converts the numbers in between.
        data = None if body is None else canonical_json(body).encode("utf-8")
        request = urllib.request.Request(self.url + path, data, {"Accept": "application/json", **(headers or {})}, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with OPENER.open(request, timeout=30) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as error:
            retry_after = error.headers.get("Retry-After", "")
            raise PerpetuaError(error.code, parsed(error.read()), int(retry_after) if retry_after.isdigit() else None) from None

    def wait(self, attempt, retry_after=None):
        jitter = secrets.randbelow(1000) / 1000
        time.sleep(min(self.LONGEST_WAIT, (retry_after or 0) + jitter * 2 ** (attempt - 1)))


class NoRedirects(urllib.request.HTTPRedirectHandler):
    # A redirect would carry a signed request to another address.
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirects)


def parsed(data):
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def token_of(link):
    """The token of a guardian's link: the last part of its path."""
    return urllib.parse.urlparse(link).path.rsplit("/", 1)[-1]
