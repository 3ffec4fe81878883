# Databases in MySQL.
class profile::mysql (
  String[1] $root_password,
  Hash[String, Profile::Database] $databases,
  Hash[String, Hash] $options,
) {
  class { 'mysql::server':
    root_password           => $root_password,
    remove_default_accounts => true,
    override_options        => $options,
  }
  $databases.each |$name, $database| {
    mysql::db { $name:
      user     => $database['user'],
      password => $database['password'],
      host     => $database['host'],
      grant    => $database['grant'],
    }
  }
  include mysql::client
}
