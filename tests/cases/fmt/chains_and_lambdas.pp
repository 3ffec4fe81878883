Package['a']->File['b']~>Service['c']
Package['a'] ->
  File['b'] ~>
  Service['c']
package { 'a': } -> file { 'b':
  ensure => file
}
  ~> service { 'c': }
class { 'd': }
-> class { 'e':
  f => 1
}
$a = $b.filter|$x|{ $x>1 }.map | Integer $x , $y=1 | >> Integer { $x*2 }
$c = $d
    .filter |$x| {
    $x =~ /a/
    }
    .map |$x| { $x }
$users.each |String $name, Hash $user| {
user { $name:
* => $user }
}
$e = reduce($f,
  0) |$memo,$x| {
    $memo+$x
}
$g = with(
  1,
  2) |
  $x,
  $y
| { $x }
$h = $i +
$j -
-1
contain a::b
realize User['a'],
User['b']
$k = $l !~ /\/a b/ and $m<1 or $n>=- $o
$p = ($q % 2)==( $r / 2 )
notice $s
$t = String( 1 ) . upcase ( )
