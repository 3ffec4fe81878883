$mode = 0888
