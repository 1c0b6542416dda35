"""What a document's own words say of an exclusion: whether it is named for it, or mentions it in passing."""
