# Sites that Apache serves.
class role::webserver {
  include profile::base
  include profile::apache
}
