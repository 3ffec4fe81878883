# MySQL servers.
class role::mysql {
  include profile::base
  include profile::mysql
}
