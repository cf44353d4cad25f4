"""Files to mechanisms and back: what a user has on disk, read into descriptions."""
