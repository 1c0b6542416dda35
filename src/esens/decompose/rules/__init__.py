"""A query split by rules: cues, their scope, what vetoes them, and the residual query."""
