"""Maps: the format of map files, their reader, and the boards that they describe."""
