# Applications in PHP behind Apache.
class role::application {
  include profile::base
  include profile::apache
  include profile::php
}
