# Caches: instances, one for each user.
class profile::cache (
  Hash[String, Stdlib::Port] $instances,
) {
  package { 'redis-server':
    ensure => installed,
  }
  file { ['/etc/cache', '/var/lib/cache']:
    ensure => directory,
  }
  $instances.each |$name, $port| {
    profile::cache_instance { $name:
      port   => $port,
      memory => $facts['memory']['system']['total_bytes'] / 1048576 / 8,
    }
  }
}
