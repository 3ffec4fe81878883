# Serves web sites.
class role::web {
  include profile::base
  shelf { 'top': }
}
