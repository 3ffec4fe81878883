# What all nodes have.
class profile::base (String $zone) {
  notify { "zone ${zone} of ${facts['networking']['fqdn']}": }
}
