# People, with what they may do.
class profile::accounts (
  Hash[String, Profile::Person] $people,
  Array[String] $administrators,
) {
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
    file { sprintf('/etc/sudoers.d/%02d_%s', 10 + $index, $name):
      mode         => '0440',
      content      => "${name} ALL=(ALL) NOPASSWD: ALL\n",
      validate_cmd => '/usr/sbin/visudo -c -f %',
      require      => Profile::Account[$name],
    }
  }
}
