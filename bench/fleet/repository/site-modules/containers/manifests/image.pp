# An image.
define containers::image (
  String[1] $tag = 'latest',
) {
  include containers

  exec { "pull ${name}:${tag}":
    command => "/usr/bin/podman pull ${name}:${tag}",
    unless  => "/usr/bin/podman image exists ${name}:${tag}",
    timeout => 600,
    require => Class['containers'],
  }
}
