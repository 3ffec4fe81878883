# Dashboards, with their proxy.
class role::dashboard {
  include profile::base
  include profile::dashboards
  include profile::proxy
}
