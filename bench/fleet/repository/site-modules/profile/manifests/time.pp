# The time.
class profile::time (
  Array[Stdlib::Host, 1] $servers,
) {
  class { 'ntp':
    servers => $servers,
  }
}
