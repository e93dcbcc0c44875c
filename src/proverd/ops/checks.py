"""What every operation checks of its handles before a backend trusts them."""

from __future__ import annotations

from proverd.backend.api import FieldVector, Form, Order
from proverd.errors import BadArgument, CurveMismatch, WrongLength


def same_length(what: str, vector: FieldVector, expected: int) -> None:
    if len(vector) != expected:
        raise WrongLength(what, got=len(vector), expected=expected)


def described(vector: FieldVector) -> str:
    return f"{vector.form.value} in {vector.order.value} order"


def alike(first: FieldVector, *others: FieldVector) -> None:
    """Raises unless all vectors share curve, length, form, order and backend."""
    for other in others:
        if other.backend is not first.backend:
            raise BadArgument("operands live on different backends")
        if other.curve is not first.curve:
            raise CurveMismatch(f"operands over {first.curve.name} and {other.curve.name}")
        same_length("operand", other, len(first))
        if other.form is not first.form or other.order is not first.order:
            raise BadArgument(f"operands are {described(first)} and {described(other)}")


def require(vector: FieldVector, form: Form | None = None, order: Order | None = None) -> None:
    """Raises unless the vector has the form and order asked for."""
    if form is not None and vector.form is not form:
        raise BadArgument(f"the vector is {vector.form.value}, not {form.value}")
    if order is not None and vector.order is not order:
        raise BadArgument(f"the vector is in {vector.order.value} order, not {order.value}")
