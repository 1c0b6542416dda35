"""The methods to compare, one small file each."""
