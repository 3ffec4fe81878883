# What all nodes have.
#
# @param packages packages to install
# @param motd the message of the day
class profile::base (
  Array[String[1]] $packages = [],
  String $motd = "This is ${facts['networking']['fqdn']}",
) {
  package { $packages:
    ensure => installed,
  }

  file { '/etc/motd':
    ensure  => file,
    content => epp('profile/motd.epp', { 'motd' => $motd, 'packages' => $packages }),
  }

  include accounts
  realize Accounts::User['ann']
}
