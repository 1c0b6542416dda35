"""Six documents and two queries, which every framework is tried on."""

QUERY = "black tea, excluding green tea"
PLAIN = "black tea"
TEXTS = [
    "Green tea is black tea that was never withered: green tea, black tea, green tea.",
    "Black tea from Assam is strong.",
    "Black tea from Ceylon is bright.",
    "Coffee is roasted.",
    "Green tea from Japan is steamed green tea.",
    "Water boils.",
]
