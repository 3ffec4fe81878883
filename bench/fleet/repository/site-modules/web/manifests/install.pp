# Packages of the server.
class web::install {
  $package = $facts['os']['family'] ? {
    'RedHat' => $web::server ? { 'apache' => 'httpd', default => 'nginx' },
    default  => $web::server ? { 'apache' => 'apache2', default => 'nginx-full' },
  }
  package { $package:
    ensure => installed,
    alias  => 'web server',
  }
}
