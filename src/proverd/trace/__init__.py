"""The record of what happened when, which everything below may write to."""

from proverd.trace.timeline import Span, Timeline

__all__ = ["Span", "Timeline"]
