# What never ends.
class bakery::loop {
  notify { 'first': require => Notify['second'] }
  notify { 'second': require => Notify['first'] }
}
