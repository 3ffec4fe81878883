class clock { }
