# People, with what they may do.
class profile::accounts (
  Hash[String, Profile::Person] $people,
  Array[String] $administrators,
) {
  include sudo

  group { 'people':
    ensure => present,
    gid    => 5000,
  }
  $people.each |$name, $person| {
    profile::account { $name:
      * => $person,
    }
  }
  $administrators.each |$index, $name| {
    sudo::conf { $name:
      priority => 10 + $index,
      content  => "${name} ALL=(ALL) NOPASSWD: ALL",
      require  => Profile::Account[$name],
    }
  }
}
