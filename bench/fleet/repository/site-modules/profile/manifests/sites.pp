# Sites that are served from directories.
class profile::sites (
  Hash[Stdlib::Fqdn, Hash] $sites,
  Array[String] $modules,
) {
  class { 'web':
    server  => 'apache',
    modules => $modules,
  }
  $sites.each |$name, $site| {
    web::site { $name:
      * => {
        'port'      => 80,
        'locations' => { '/static' => { 'root' => '/srv/static', 'expires' => '1d' }, '/status' => { 'headers' => { 'X-Role' => $facts['role'] } } },
      } + $site,
    }
  }
}
