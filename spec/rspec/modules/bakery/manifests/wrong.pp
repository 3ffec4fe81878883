# What no type wants.
class bakery::wrong {
  file { 'relative': ensure => file }
}
