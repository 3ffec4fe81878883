[1, 2].each |number| { notice(number) }
