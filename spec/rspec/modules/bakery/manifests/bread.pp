# A bread.
#
# @param count how many
# @param shape the form
# @param after what comes first
define bakery::bread (
  Integer[1] $count = 1,
  Optional[String[1]] $shape = undef,
  Array[Type[Resource]] $after = [],
  Any $topping = undef,
) {
  bakery_loaf { $title:
    count   => $count,
    shape   => $shape,
    topping => $topping,
    require => $after,
  }
  file { "/etc/bakery/${title}": content => String($count) }
}
