# What all machines have.
class profile::base (
  Array[String] $packages,
  Hash[String, String] $sysctl,
  String $contact,
) {
  include profile::accounts
  include profile::filter
  include profile::jobs
  include profile::logs
  include profile::monitoring
  include profile::time

  # Modules may want some of these, too.
  ensure_packages($packages)

  file { '/etc/motd':
    content => epp('profile/motd.epp', { 'contact' => $contact, 'packages' => $packages }),
  }

  $sysctl.each |$key, $value| {
    file { "/etc/sysctl.d/60-${key}.conf":
      content => "${key} = ${value}\n",
      notify  => Exec['sysctl'],
    }
  }
  exec { 'sysctl':
    command     => '/sbin/sysctl --system',
    refreshonly => true,
  }
}
