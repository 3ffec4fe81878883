# Builds with their tools.
class role::builder {
  include profile::base
  include profile::containers
  include profile::java
  include profile::vcs
}
