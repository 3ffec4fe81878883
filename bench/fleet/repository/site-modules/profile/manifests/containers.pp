# Containers.
class profile::containers (
  Hash[String, Hash] $containers,
  Hash[String, String] $images,
) {
  include containers

  $images.each |$image, $tag| {
    containers::image { $image:
      tag => $tag,
    }
  }
  $containers.each |$name, $container| {
    containers::run { $name:
      * => $container,
    }
  }
}
