# A node with a database.
class role::database {
  contain profile::base
  include profile::database
}
