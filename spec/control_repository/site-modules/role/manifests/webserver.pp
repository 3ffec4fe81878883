# A node that serves web sites.
class role::webserver {
  contain profile::base
  contain profile::web

  Class['profile::base'] -> Class['profile::web']
}
