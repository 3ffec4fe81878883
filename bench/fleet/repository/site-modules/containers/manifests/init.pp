# A host of containers.
class containers (
  Stdlib::Absolutepath $root = '/var/lib/containers',
  Hash[String, Variant[Scalar, Array[String]]] $settings = {},
) {
  package { 'podman':
    ensure => installed,
  }
  file {
    default:
      ensure => directory,
      mode   => '0700';
    ['/etc/containers', '/etc/containers/run', $root]: ;
    '/etc/containers/settings.json':
      ensure  => file,
      mode    => '0644',
      content => to_json_pretty({ 'root' => $root, 'log' => 'journald' } + $settings);
  }
}
