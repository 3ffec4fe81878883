# Hosts of containers.
class role::runner {
  include profile::base
  include profile::containers
}
