if $a{$b=1}elsif($c){ $b=2 }
else
{
$b=3
}
if $a
   and ! $b
   or !( $c == -1 ) {
 notice( 'long' )
}
# why
else { }
unless $x in ['a','b'] { fail ( 'no' )
}
if $a { # first
  $b = 1
} # after
else {
  $b = 2
}
case $x {
'a','b':{ $y=1 }
  /c/ :{
    $y=2 }
  'd',
  'e': { $y = 3 }
  # none of them
  default :
  { }
}
case $x {
  'a':     { $y = 1 }
  'bcd':   { $y = 2 }
  default: {
    $y = 3
  }
}
$z = $x ? { 'a'=>1,default=>2 }
$w = $x?{
  /^a/=>1,
    default => $y?{
      'b'=>2,
      default=>undef
    }
}
$v = if $x { 1 } else { 2 }
$u =
  case $x {
    1: { 'one' }
    default: { 'more' }
  }
