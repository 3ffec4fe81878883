# Redis: instances, one for each user.
class profile::redis (
  Hash[String, Stdlib::Port] $instances,
) {
  class { 'redis':
    default_install => false,
  }
  $instances.each |$name, $port| {
    redis::instance { $name:
      port      => $port,
      maxmemory => "${Integer($facts['memory']['system']['total_bytes'] / 1048576 / 8)}mb",
    }
  }
}
