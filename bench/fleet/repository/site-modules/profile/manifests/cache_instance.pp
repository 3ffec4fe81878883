# An instance of a cache.
define profile::cache_instance (
  Stdlib::Port $port,
  Integer[1] $memory,
  Enum['noeviction', 'allkeys-lru'] $policy = 'allkeys-lru',
) {
  file { "/var/lib/cache/${name}":
    ensure => directory,
    mode   => '0750',
  }
  concat { "/etc/cache/${name}.conf":
    mode   => '0640',
    notify => Service["cache-${name}.service"],
  }
  $settings = { 'port' => $port, 'maxmemory' => "${memory}mb", 'maxmemory-policy' => $policy, 'dir' => "/var/lib/cache/${name}" }
  $settings.each |$key, $value| {
    concat::fragment { "cache ${name} ${key}":
      target  => "/etc/cache/${name}.conf",
      content => "${key} ${value}\n",
    }
  }
  systemd::unit_file { "cache-${name}.service":
    content => epp('profile/cache.service.epp', { 'name' => $name }),
    enable  => true,
    active  => true,
    require => Package['redis-server'],
  }
}
