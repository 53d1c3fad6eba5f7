"""pydantic's problems in plain words: what is wrong and what would be right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import ErrorDetails

TEMPLATES: Mapping[str, str] = {
    "extra_forbidden": "this field is not known; check its spelling",
    "missing": "this field is missing",
    "enum": "{input} is not one of {expected}",
    "literal_error": "{input} is not one of {expected}",
    "greater_than_equal": "{input} is too small; at least {ge}",
    "less_than_equal": "{input} is too large; at most {le}",
    "greater_than": "{input} is too small; more than {gt}",
    "less_than": "{input} is too large; less than {lt}",
    "int_parsing": "{input} is not a whole number",
    "int_parsing_size": "{input} is too large",
    "int_type": "{input} is not a whole number",
    "int_from_float": "{input} is not a whole number",
    "decimal_parsing": "{input} is not a number",
    "decimal_type": "{input} is not a number",
    "float_parsing": "{input} is not a number",
    "float_type": "{input} is not a number",
    "decimal_max_digits": "{input} has more than {max_digits} digits",
    "decimal_max_places": "{input} has more than {decimal_places} decimal places",
    "finite_number": "{input} is not a finite number",
    "string_type": "{input} is not text; put it in quotes",
    "string_too_long": "the text is longer than {max_length} characters",
    "string_pattern_mismatch": "{input} does not have the form {pattern}",
    "bool_parsing": "{input} is neither true nor false",
    "bool_type": "{input} is neither true nor false",
    "tuple_type": "a list is needed here",
    "too_long": "the list is longer than {max_length} entries",
    "dict_type": "fields with values are needed here",
    "model_type": "fields with values are needed here",
    "date_parsing": "{input} is not a date; write it as 2026-11-30",
    "date_from_datetime_parsing": "{input} is not a date; write it as 2026-11-30",
    "date_from_datetime_inexact": "{input} is not a date; write it as 2026-11-30",
    "date_type": "{input} is not a date; write it as 2026-11-30",
}


def problem_words(problem: ErrorDetails, translate: Callable[[str], str] = str) -> str:
    """One problem in words, without its place."""
    context: dict[str, Any] = dict(problem.get("ctx", {}))
    if problem["type"] == "value_error":
        return translate(str(context["error"]))
    template = TEMPLATES.get(problem["type"])
    if template is None:
        return problem["msg"]
    shown = repr(problem["input"])
    values = {**context, "input": shown if len(shown) <= 60 else shown[:57] + "..."}
    return translate(template).format(**values)
