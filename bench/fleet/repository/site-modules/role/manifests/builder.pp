# Builds with what others need.
class role::builder {
  include profile::base
  include profile::docker
  include profile::java
  include profile::vcs
}
