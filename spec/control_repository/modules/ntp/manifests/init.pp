# Keeps the time of a node.
#
# @param servers where the time comes from
# @param ensure whether it does
class ntp (
  Array[String[1], 1] $servers,
  Enum['running', 'stopped'] $ensure = 'running',
) {
  contain ntp::service

  file { '/etc/ntp.conf':
    ensure  => file,
    content => $servers.map |$server| { "server ${server} iburst\n" }.join,
    notify  => Class['ntp::service'],
  }
}
