"""How good the parts are, measured on data that somebody brings."""
