# Rules for packets.
class profile::filter (
  Hash[String, Stdlib::Port] $ports,
  Array[String] $networks,
) {
  firewallchain { 'SERVICES:filter:IPv4':
    ensure => present,
  }
  $ports.each |$name, $port| {
    $networks.each |$index, $network| {
      firewall { sprintf('%03d %s from %s', 100 + $index, $name, $network):
        chain   => 'SERVICES',
        source  => $network,
        dport   => $port,
        proto   => 'tcp',
        action  => 'accept',
        require => Firewallchain['SERVICES:filter:IPv4'],
      }
    }
  }
}
