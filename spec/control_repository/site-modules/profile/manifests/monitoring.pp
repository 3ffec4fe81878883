# Watches what a node runs.
class profile::monitoring {
  file { '/etc/monitoring':
    ensure => directory,
    mode   => '0750',
  }

  schedule { 'nightly':
    range => '2 - 4',
  }

  exec { 'report':
    command  => "/usr/bin/report --datacenter '${datacenter}' \"\$DC\"\n",
    schedule => 'nightly',
    require  => File['/etc/monitoring'],
  }

  if defined(Class['profile::web']) {
    warning('the web server is watched')
  }
}
