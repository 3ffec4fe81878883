# Applications in PHP behind a web server.
class role::application {
  include profile::base
  include profile::sites
  include profile::php
}
