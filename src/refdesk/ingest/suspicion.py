"""Text that speaks to an agent instead of a reader: instructions hidden in documentation.

Documentation is data. What in it looks like an order to a model is kept, because taking text away is worse than
marking it, but its chunk carries a warning. Rules are narrow: documentation tells *people* what to run all day, and a
page about such attacks may quote one. What stands in quotation marks or in a code span does not count, except where it
comes in a form that no reader is meant to see.
"""

import re
from dataclasses import replace

from refdesk.domain.entries import Chunk

_WORDS = (
    "ignore", "disregard", "forget", "override", "do not tell", "don't tell", "without telling", "do not mention",
    "do not reveal", "you are an ai", "as an ai", "ai assistant", "language model", "ai agent", "coding agent",
    "coding assistant", "system prompt", "new instructions", "system:", "assistant:", "<|", "[inst]", "<system",
    "tool_call", "function_call", "tool_use", "exfiltrat", "base64", "the user's", "your instructions",
    "silently", "secretly", "without asking", "without inform", " to http", "webhook", "to the following url",
    "to the user", "from the user", "\u200b\u200b", "<</", "<invoke", ":invoke", "\u2060\u2060", "\ufeff\ufeff",
)  # fmt: skip
"""What a text holds if any rule can fit; looked for first, because it costs next to nothing."""

_EARLIER = r"""(?:(?:all|any|every|the|your|my|these|those|of|previous|prior|earlier|above|preceding|foregoing|existing
    |original|initial|system|safety|given|its)\s+)*"""
_MODEL = r"""(?:(?:an?\s+|the\s+)?(?:large\s+)?
    (?:ai|llm|language\s+model|chat\s?bot|chatgpt|claude|copilot|gemini|gpt(?:-?\d\w*)?|coding\s+(?:agent|assistant))
    (?:\s+(?:assistant|agent|model|language\s+model|system))?)"""
_SECRETS = r"""(?:api[\s-]?keys?|credentials?|passwords?|secrets?|access\s+tokens?|private\s+keys?|ssh\s+keys?
    |environment\s+variables|\.env\b|conversation|chat\s+history|system\s+prompt)"""

_IGNORE = rf"""
    \b(?:ignore|disregard|forget|override|bypass)\s+{_EARLIER}
    (?:previous|prior|earlier|above|preceding|foregoing|your|system|all|safety)\s+{_EARLIER}
    (?:instructions?|prompts?|directives?|guidelines|guardrails|orders)\b
    |\b(?:ignore|disregard|forget)\s+(?:everything|all|anything)\s+(?:that\s+(?:was|is|has\s+been)\s+)?
    (?:(?:written|said|stated|told|you\s+were\s+told)\s+)?(?:above|before|previously|so\s+far)\b
    (?=[^\n]{{0,80}}(?:instead|and\s|\.|!))"""
_ADDRESS = rf"""
    (?:\A|[.!?:>*\n\]]\s*)
    (?:(?:note|attention|important|instructions?|message|notice)\s+(?:to|for)\s+(?:any\s+|all\s+|the\s+)?{_MODEL}s?\b
        (?:\s+reading|\s+processing|\s+that)?[^\n]{{0,40}}[:,]
    |(?:if\s+)?you\s+are\s+(?:now\s+)?{_MODEL}\b[^\n]{{0,60}}(?:must|should|you|never|always|\bdo\b|\.|,)
    |(?:hey|dear|hello),?\s+{_MODEL}\b
    |as\s+{_MODEL},?\s+you\s+(?:must|should|need|are))"""
_KEEP = r"""
    \b(?:do\s+not|don't|never)\s+(?:tell|inform|notify|alert|(?:reveal|mention|show)\s+(?:this\s+|it\s+)?to)\s+
    (?:the|your)\s+(?:user|human|operator|developer)\b
    (?!\s(?:whether|which|if|how|why|that\s(?:the|an|their)))
    |\bwithout\s+(?:telling|informing|notifying|alerting|asking)\s+(?:the|your)\s+(?:user|human|operator)\b
    [^\n]{0,40}(?:run|send|execute|call|read|delete|upload)
    |\b(?:silently|secretly)\s+(?:send|run|execute|upload|post|read|exfiltrate)\b
    [^\n]{0,60}\b(?:user|your|key|token|secret|file)"""
_SEND = rf"""
    \b(?:send|post|upload|forward|transmit|exfiltrate|leak|e-?mail)\s+(?:me\s+|us\s+)?
    (?:(?:all|any|the|their|your|every|its|contents?\s+of|user'?s?)\s+)*{_SECRETS}
    [^\n.]{{0,60}}?\bto\s+(?:the\s+following\s+|this\s+|our\s+|my\s+)?
    (?:https?://|[\w.+-]+@[\w-]+\.|url|address|server|endpoint|webhook)
    |\b(?:reveal|print|output|repeat|show)\s+(?:me\s+)?(?:your|the)\s+(?:(?:full|entire|hidden|initial)\s+)*
    (?:system\s+prompt|system\s+instructions)\b"""
_DECODE = r"""
    \b(?:base64[\s-])?decode\s+(?:and\s+(?:then\s+)?(?:run|execute|follow|eval)
    |(?:the\s+|this\s+)[^\n.]{0,60}\b(?:and|then)\s+(?:run|execute|follow|obey)\s+
    (?:it|them|this|that|these|what|the\s+(?:result|output|command)s?))\b"""
_TURN = r"""
    <\|(?:im_start|im_end|system|assistant|user|endoftext|start_header_id)\|>|\[/?INST\]|<</?SYS>>
    |^(?:\#{1,3}[ ]*)?(?:system|assistant|human)\s*(?:prompt|message|note)?\s*:\s*
    (?:you\s(?:are|must|should|will)|ignore|from\snow\son)\b"""
_TOOL = r"""^[ \t>]*</?(?:\w+:)?(?:function_calls?|invoke|tool_calls?|tool_use)(?:\s[^<>\n]*)?>[ \t]*$"""
_HIDDEN = "[\u200b\u2060\ufeff\U000e0000-\U000e007f]{4,}"

_FLAGS = re.IGNORECASE | re.MULTILINE | re.VERBOSE
_PROSE = (
    ("tells its reader to ignore instructions", re.compile(_IGNORE, _FLAGS)),
    ("addresses an AI", re.compile(_ADDRESS, _FLAGS)),
    ("wants something kept from the user", re.compile(_KEEP, _FLAGS)),
    ("asks for secrets to be sent away", re.compile(_SEND, _FLAGS)),
    ("asks for something decoded to be run", re.compile(_DECODE, _FLAGS)),
)
_ANYWHERE = (
    ("imitates a turn of a conversation", re.compile(_TURN, _FLAGS)),
    ("imitates the call of a tool", re.compile(_TOOL, _FLAGS)),
    ("hides invisible characters", re.compile(_HIDDEN)),
)
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,}).*?(?:^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED = re.compile(
    r"(`+)(?!`)[^\n]+?(?<!`)\1(?!`)|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|‘[^’\n]{1,300}’|(?<!\w)'[^'\n]{8,300}'(?!\w)"
)
_ABOUT = (
    "prompt injection", "prompt-injection", "jailbreak", "red team", "red-team", "adversarial", "attacker", "malicious",
    "untrusted", "chat template", "special token",
)  # fmt: skip
"""A text that speaks of attacks, or of how models are spoken to, may show what it speaks of."""


def may_be_suspicious(text: str) -> bool:
    """Whether a text holds any of the words of a suspicious one; costs next to nothing."""
    small = text.lower()
    return any(word in small for word in _WORDS)


def suspicion(text: str) -> str:
    """What makes a Markdown text suspicious, in words; empty for nearly every text."""
    if not may_be_suspicious(text):
        return ""
    bare = _FENCE.sub(" ", text)
    small = text.lower()
    about = any(word in small for word in _ABOUT)
    prose = _QUOTED.sub(" ", bare)
    found = [message for message, rule in _PROSE if rule.search(prose)]
    found += [message for message, rule in _ANYWHERE if rule.search(prose if about else bare)]
    if not found:
        return ""
    mark = " (it speaks of such texts, and may only show one)" if about else ""
    return f"{'; '.join(found)}{mark}"


def with_warning(chunk: Chunk) -> Chunk:
    """The chunk with a warning where its text seems to be meant for an agent rather than for a reader."""
    warning = suspicion(chunk.text)
    return replace(chunk, warning=warning) if warning else chunk
