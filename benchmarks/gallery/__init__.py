"""Published problems: our deviation from their references, and our time beside a peer's."""
