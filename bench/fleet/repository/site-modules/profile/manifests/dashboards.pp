# Dashboards.
class profile::dashboards (
  Hash $settings,
  Hash[String, Hash] $sources,
  Sensitive[String[1]] $secret,
) {
  package { 'dashboards':
    ensure => installed,
  }
  file {
    default:
      owner   => 'root',
      mode    => '0640',
      require => Package['dashboards'],
      notify  => Service['dashboards'];
    '/etc/dashboards/secret':
      content => $secret;
    '/etc/dashboards/sources.json':
      content => to_json_pretty({
          'apiVersion'  => 1,
          'datasources' => $sources.map |$name, $source| { { 'name' => $name } + $source },
      });
  }
  $settings.filter |$_, $values| { $values =~ Hash }.each |$section, $values| {
    $values.each |$key, $value| {
      ini_setting { "dashboards ${section} ${key}":
        ensure  => present,
        path    => '/etc/dashboards/dashboards.ini',
        section => $section,
        setting => $key,
        value   => String($value),
        notify  => Service['dashboards'],
      }
    }
  }
  service { 'dashboards':
    ensure => running,
    enable => true,
  }
}
