"""Names of operations as botocore's clients have them (`PutObject` → `put_object`)."""

import re

# Words that do not follow the rules of capitals. botocore lists whole names instead, and not all that one would expect:
# CreateOAuth2TokenWithTokenExchange is `create_o_auth2_token_with_token_exchange`.
_IRREGULAR = re.compile(r"iSCSI|HITs|PartiQL|WhatsApp|OTel|OAuth2(?=Token(?:WithIAM)?\Z)")
_PLURAL_AT_END = re.compile(r"[A-Z]{2,}s\Z")
_BEFORE_WORD = re.compile(r"(.)([A-Z][a-z]+)")
_AFTER_SMALL = re.compile(r"([a-z0-9])([A-Z])")


def method_name(operation: str) -> str:
    """The client method of an operation, by the rules of `botocore.xform_name`.

    A plural of capitals at the end is one word (`GetWebACLs` → `get_web_acls`); a name that has an underscore already
    stays as it is.
    """
    if "_" in operation:
        return operation
    name = _IRREGULAR.sub(lambda match: match[0].capitalize(), operation)
    if plural := _PLURAL_AT_END.search(name):
        name = f"{name[: plural.start()]}_{plural[0].lower()}"
    return _AFTER_SMALL.sub(r"\1_\2", _BEFORE_WORD.sub(r"\1_\2", name)).lower()
