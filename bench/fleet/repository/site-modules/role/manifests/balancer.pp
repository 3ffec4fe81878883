# HAProxy before the proxies.
class role::balancer {
  include profile::base
  include profile::haproxy
}
