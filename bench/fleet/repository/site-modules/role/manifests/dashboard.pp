# Grafana, with its database and proxy.
class role::dashboard {
  include profile::base
  include profile::grafana
  include profile::nginx
}
