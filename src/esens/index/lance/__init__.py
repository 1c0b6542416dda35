"""The default index on disk: a folder with a table of Lance, the format of LanceDB."""
