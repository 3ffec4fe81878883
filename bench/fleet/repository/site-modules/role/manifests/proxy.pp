# A proxy before the applications.
class role::proxy {
  include profile::base
  include profile::proxy
}
