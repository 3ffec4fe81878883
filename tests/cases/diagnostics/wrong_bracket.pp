$names = ['a', 'b'}
