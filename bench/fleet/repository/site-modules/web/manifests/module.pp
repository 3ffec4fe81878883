# A module of the server.
define web::module (
  Integer[0] $order = 50,
  Hash[String, Scalar] $settings = {},
) {
  $directory = "/etc/${web::server}/modules"
  file { sprintf('%s/%02d-%s.load', $directory, $order, $name):
    content => "load_module modules/mod_${name}.so\n",
    notify  => Class['web::service'],
  }
  file { sprintf('%s/%02d-%s.conf', $directory, $order, $name):
    content => $settings.map |$key, $value| { "${key} ${value}\n" }.join,
    notify  => Class['web::service'],
  }
}
