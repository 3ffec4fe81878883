# What needs something that is not there.
class bakery::lost {
  notify { 'lonely': require => Package['nowhere'] }
}
