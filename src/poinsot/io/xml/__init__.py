"""XML from anyone, as a tree of elements with line numbers: read ``parse``, then ``element``."""

from poinsot.io.xml.element import Element
from poinsot.io.xml.parse import MAX_DEPTH, MAX_SIZE, outermost_tag, parse_xml

__all__ = ["MAX_DEPTH", "MAX_SIZE", "Element", "outermost_tag", "parse_xml"]
