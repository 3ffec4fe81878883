# An account, with its directory.
define profile::account (
  Integer[5001] $uid,
  Optional[String[1]] $key = undef,
  Stdlib::Absolutepath $shell = '/bin/bash',
  Hash[String, String] $aliases = {},
) {
  $home = "/home/${name}"

  group { $name:
    gid => $uid,
  }
  user { $name:
    ensure => present,
    uid    => $uid,
    gid    => $name,
    groups => ['people'],
    home   => $home,
    shell  => $shell,
  }
  file {
    default:
      owner => $name,
      group => $name,
      mode  => '0600';
    $home:
      ensure => directory,
      mode   => '0750';
    "${home}/.ssh":
      ensure => directory,
      mode   => '0700';
    "${home}/.bashrc":
      content => epp('profile/bashrc.epp', { 'aliases' => $aliases, 'name' => $name });
  }
  if $key {
    file { "${home}/.ssh/authorized_keys":
      owner   => $name,
      group   => $name,
      mode    => '0600',
      content => "ssh-ed25519 ${key} ${name}@${facts['networking']['domain']}\n",
    }
  }
}
