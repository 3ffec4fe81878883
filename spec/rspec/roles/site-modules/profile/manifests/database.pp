# A database, whose password is in the data of some systems.
class profile::database (String[1] $password) {
  package { 'postgresql': ensure => installed }
  -> service { 'postgresql': ensure => running }
}
