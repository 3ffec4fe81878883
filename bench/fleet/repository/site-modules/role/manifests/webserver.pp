# Sites in directories.
class role::webserver {
  include profile::base
  include profile::sites
}
