# Containers.
class profile::docker (
  Hash[String, Hash] $containers,
  Hash[String, String] $images,
) {
  class { 'docker':
    version                    => 'latest',
    use_upstream_package_source => false,
  }
  $images.each |$image, $tag| {
    docker::image { $image:
      image_tag => $tag,
    }
  }
  $containers.each |$name, $container| {
    docker::run { $name:
      * => $container,
    }
  }
}
