# Sites that Apache serves.
class profile::apache (
  Hash[Stdlib::Fqdn, Hash] $sites,
  Array[String] $modules,
) {
  class { 'apache':
    default_vhost => false,
    mpm_module    => 'prefork',
  }
  $modules.each |$module| {
    include "apache::mod::${module}"
  }
  $sites.each |$name, $site| {
    apache::vhost { $name:
      * => {
        'port'           => 80,
        'docroot'        => "/srv/${name}",
        'manage_docroot' => false,
        'serveradmin'    => "webmaster@${name}",
        'access_log_format' => 'combined',
      } + $site,
    }
    file { "/srv/${name}":
      ensure => directory,
    }
  }
}
