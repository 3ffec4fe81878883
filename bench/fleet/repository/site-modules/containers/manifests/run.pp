# A container that runs as a service.
define containers::run (
  String[1] $image,
  Array[String] $ports = [],
  Array[String] $env = [],
  Array[Stdlib::Absolutepath] $volumes = [],
  Integer[16] $memory = 256,
) {
  include containers

  $volumes.each |$volume| {
    ensure_resource('file', $volume, { 'ensure' => 'directory' })
  }
  file { "/etc/containers/run/${name}.env":
    mode    => '0600',
    content => $env.map |$line| { "${line}\n" }.join,
    notify  => Service["container-${name}.service"],
  }
  systemd::unit_file { "container-${name}.service":
    content => epp('containers/unit.epp', { 'name' => $name, 'image' => $image, 'ports' => $ports, 'volumes' => $volumes, 'memory' => $memory }),
    enable  => true,
    active  => true,
  }
}
