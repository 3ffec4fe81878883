$greeting = 'hello
notice($greeting)
