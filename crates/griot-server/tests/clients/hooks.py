"""What the JSON Schema of a request does not say. Schemathesis does not send what is refused for these
reasons alone.

- A span must not end before it begins: JSON Schema does not compare two keys.
- A document must be what its `format` or `mimeType` says: JSON Schema does not look into a text that is no
JSON. No text has a NUL.
- An address may be one that the pattern of the schema, which generators can follow, leaves out, and no
generated one exists: that its page is unavailable, with 503, is right.
- A parameter of a query that is empty counts as not given, whatever its schema says of values.
- `graph` excludes `no_graph` and the strategy `baseline`: one condition more than generators can solve.
- A form is no JSON: every value in it is a text, so that none has a wrong type; and it holds a file or a
`text`.
"""

import schemathesis

SPANS = [("since", "until"), ("valid_from", "valid_to")]
# Any text may be one of these.
ANY_TEXT = [None, "markdown", "text", "rst"]
ANY_TYPE = [None, "text/markdown", "text/plain", "text/x-rst"]


def may_run_backwards(since, until):
    """True unless it is certain that they do not: words and zones of time are not read here."""
    if since is None or until is None or since == until:
        return False
    years = [time[:4] for time in (since, until)]
    return not (all(year.isdigit() for year in years) and years[0] < years[1])


@schemathesis.hook
def filter_case(context, case):
    body = case.body
    if "" in (case.query or {}).values():
        return False
    is_wrong = case.meta is not None and case.meta.generation.mode.is_negative
    if case.media_type == "multipart/form-data":
        return not is_wrong and isinstance(body, dict) and not {"file", "text"}.isdisjoint(body)
    if not isinstance(body, dict):
        return True
    fetches = str(body.get("url")).startswith("http")
    if fetches and (is_wrong or case.path.endswith("/ingest")):
        return False
    if body.get("graph") is True and (body.get("no_graph") is True or body.get("strategy") == "baseline"):
        return False
    for names in SPANS:
        times = [body.get(name) for name in names]
        if all(time is None or isinstance(time, str) for time in times) and may_run_backwards(*times):
            return False
    if any("\0" in text for text in (body.get("text"), body.get("content")) if isinstance(text, str)):
        return False
    return body.get("format") in ANY_TEXT and body.get("mimeType") in ANY_TYPE
