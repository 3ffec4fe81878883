$a = 'one
$b = 'two'
notice($b)
