# A mail server whose resources come before each other.
class profile::mail {
  package { 'postfix':
    ensure  => installed,
    require => File['/etc/postfix'],
  }
  file { '/etc/postfix': ensure => directory }
  file { '/etc/postfix/main.cf': content => "a\n" }
  Package['postfix']
  -> Service['postfix']
  ~> File['/etc/postfix/main.cf']
  service { 'postfix': before => File['/etc/postfix'] }
}
