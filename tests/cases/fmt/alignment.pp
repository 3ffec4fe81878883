$a   = 1
$bcd = 2
$efghijkl=3

$m = 1
$no = 2

$p  = 1
$qr = [
  1,
]
$s = {
  'a'         => 1,
  'longer'=>2,

  b => {
    c => 1,
    deeper => 2,
  },
  "${d}" => 3, 'e' => 4,
  long_function('name', [
    1,
  ]) => 5,
}
a::b {
  default:
    x => 1,;
  'c':
    x => 1,
    long => 2;
  'd':
    y => 1,
}
file { '/a':
  ensure=>file,
  content => $b ? {
    true=>1,
    default => 2,
  },
  * => $c,
  notify +> Service['d'],
}
notify { 'é': message => 1,
  withpath => false }
