# A user with a home directory.
#
# @param uid the number of the user
# @param groups further groups
# @param shell the shell
define accounts::user (
  Integer[1000] $uid,
  Array[String[1]] $groups = [],
  String[1] $shell = '/bin/sh',
) {
  user { $title:
    ensure     => present,
    uid        => $uid,
    groups     => $groups,
    shell      => $shell,
    managehome => true,
    comment    => accounts_comment($title),
  }

  file { "/home/${title}":
    ensure => directory,
    owner  => $title,
    mode   => '0700',
  }
}
