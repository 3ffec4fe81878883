class role::database {
  include profile::base
  contain profile::database
}
