"""Model files: read into descriptions of mechanisms, and written from them."""
