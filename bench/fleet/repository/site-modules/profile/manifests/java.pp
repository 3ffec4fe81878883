# Services in Java, from archives.
class profile::java (
  Hash[String, Profile::Service] $services,
) {
  include archive

  package { 'java-runtime':
    ensure => installed,
  }

  $services.each |$name, $service| {
    $directory = "/opt/${name}"
    file { $directory:
      ensure => directory,
    }
    archive { "/var/cache/${name}-${service['version']}.tar.gz":
      source       => "https://archive.example.com/${name}/${service['version']}.tar.gz",
      extract      => true,
      extract_path => $directory,
      creates      => "${directory}/bin",
      require      => [File[$directory], Package['java-runtime']],
    }
    file { "${directory}/settings.properties":
      content => $service['settings'].map |$key, $value| { "${key}=${value}\n" }.join,
      notify  => Systemd::Unit_file["${name}.service"],
    }
    systemd::unit_file { "${name}.service":
      content => epp('profile/java.service.epp', { 'name' => $name, 'memory' => $service['memory'] }),
      enable  => true,
      active  => true,
    }
  }
}
