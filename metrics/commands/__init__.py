"""The commands of the command line, a file each, and the options they share."""
