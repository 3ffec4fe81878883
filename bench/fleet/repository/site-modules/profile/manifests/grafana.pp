# Dashboards.
class profile::grafana (
  Hash $settings,
  Hash[String, Hash] $sources,
) {
  class { 'grafana':
    install_method           => 'package',
    package_source           => '/var/cache/grafana.package',
    manage_package_repo      => false,
    cfg                      => $settings,
    provisioning_datasources => {
      'apiVersion'  => 1,
      'datasources' => $sources.map |$name, $source| { { 'name' => $name } + $source },
    },
  }
}
