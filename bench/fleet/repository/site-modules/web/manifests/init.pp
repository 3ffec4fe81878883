# A web server: sites, and applications behind it.
class web (
  Enum['nginx', 'apache'] $server = 'nginx',
  Array[String[1]] $modules = [],
  Integer[1] $workers = $facts['processors']['count'],
  Hash[String, Scalar] $settings = {},
) {
  contain web::install
  contain web::config
  contain web::service

  Class['web::install'] -> Class['web::config'] ~> Class['web::service']
}
