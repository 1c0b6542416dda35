"""The command line: one file a command. Each parses, calls the library and prints."""
