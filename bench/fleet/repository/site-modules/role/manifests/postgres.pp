# PostgreSQL servers.
class role::postgres {
  include profile::base
  include profile::postgresql
}
