file { '/etc/motd':
  ensure => file
  owner  => 'root',
}
