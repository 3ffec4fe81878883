# Where it is hot.
#
# @param heat how hot
class bakery::oven (
  Integer[50, 300] $heat = 180,
) {
  service { 'oven':
    ensure => running,
    enable => true,
  }
}
