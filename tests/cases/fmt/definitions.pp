class a(String $b,Integer $c=1)inherits d{
}
class e (
  $f
) inherits ::g
{
  include  h,
    i
}
class j($k,
  Optional[ String ] $l=undef, # why
  Hash[String,Integer] $m = {
    'n' => 1 }
){}
define o::p (
  Enum['present', 'absent'] $ensure = 'present',
  String                     $name_of_it,
  Boolean                    $is = true,
  Optional[Array[String, 1]] $q  = undef
) {
}
function r::s ( Integer $t , Integer *$u )>>Integer{
  $t+$u[0]*2-1
}
function r::v(String $w, Callable &$block) {
  $block.call( $w )
}
function r::x(
  String $w,
  Callable &$block
) { }
type R::Port=Integer[1,65535]
type R::Host = Variant[Stdlib::Host,
  Struct[{ name=>String,
    Optional[port]=>R::Port}]]
node 'a.example.com','b.example.com',/^c\d+/{ }
node default{ }
type R::User {
attr name,String
  attr age, Integer { min=>0, default => 1 }
invariant "adult" { $age>17 }
}
