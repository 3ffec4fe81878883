# PHP with the extensions and pools of applications.
class profile::php (
  Hash[String, Hash] $extensions,
  Hash[String, Hash] $pools,
  Hash[String, Variant[String, Integer]] $settings,
  String[1] $version = '8.2',
) {
  $directory = "/etc/php/${version}"
  $packages = ['fpm', 'cli'] + $extensions.keys

  package { $packages.map |$name| { "php${version}-${name}" }:
    ensure => installed,
    notify => Service['php-fpm'],
  }
  ['fpm', 'cli'].each |$kind| {
    $settings.each |$key, $value| {
      [$section, $setting] = $key.split('/')
      ini_setting { "${kind} ${key}":
        ensure  => present,
        path    => "${directory}/${kind}/php.ini",
        section => $section,
        setting => $setting,
        value   => String($value),
        notify  => Service['php-fpm'],
      }
    }
  }
  $pools.each |$name, $pool| {
    profile::pool { $name:
      directory => "${directory}/fpm/pool.d",
      *         => $pool,
    }
  }
  service { 'php-fpm':
    ensure => running,
    name   => "php${version}-fpm",
    enable => true,
  }
}
