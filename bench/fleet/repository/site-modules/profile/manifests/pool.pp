# A pool of processes for PHP.
define profile::pool (
  Stdlib::Absolutepath $directory,
  String[1] $listen,
  Integer[1] $children = $facts['processors']['count'] * 4,
  Enum['static', 'dynamic', 'ondemand'] $manager = 'dynamic',
) {
  group { $name:
    ensure => present,
    system => true,
  }
  user { $name:
    ensure => present,
    gid    => $name,
    system => true,
  }
  file { "${directory}/${name}.conf":
    content => epp('profile/pool.conf.epp', { 'name' => $name, 'listen' => $listen, 'children' => $children, 'manager' => $manager }),
    require => User[$name],
    notify  => Service['php-fpm'],
  }
}
