"""The default index on disk: a folder with a LanceDB table."""
