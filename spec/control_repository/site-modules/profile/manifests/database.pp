# A database with a password from data.
#
# @param password the password of the superuser
# @param port where it listens
class profile::database (
  String[1] $password,
  Integer[1024, 65535] $port = 5432,
) {
  package { 'postgresql':
    ensure => installed,
    before => File['/etc/postgresql/password'],
  }

  file { '/etc/postgresql/password':
    ensure  => file,
    mode    => '0600',
    content => Sensitive("${password}\n"),
    notify  => Service['postgresql'],
  }

  service { 'postgresql':
    ensure    => running,
    enable    => true,
    subscribe => Package['postgresql'],
  }

  $tuning = webapp::tuning($facts['memory']['system']['total_bytes'])
  file { '/etc/postgresql/tuning.conf':
    ensure  => file,
    content => $tuning.map |$name, $value| { "${name} = ${value}\n" }.join,
    tag     => ['tuning', 'database'],
  }

  exec { 'announce':
    command     => Deferred('sprintf', ['echo %s', $facts['networking']['fqdn']]),
    path        => ['/usr/bin', '/bin'],
    refreshonly => true,
    subscribe   => File['/etc/postgresql/tuning.conf'],
  }
}
