# Databases in PostgreSQL.
class profile::postgresql (
  Hash[String, Profile::Database] $databases,
  Hash[String, Variant[String, Integer]] $settings,
  Hash[String, Hash] $rules,
) {
  class { 'postgresql::globals':
    manage_package_repo => false,
    encoding            => 'UTF-8',
    version             => '15',
  }
  class { 'postgresql::server':
    listen_addresses => '*',
  }
  $databases.each |$name, $database| {
    postgresql::server::db { $name:
      user     => $database['user'],
      password => postgresql::postgresql_password($database['user'], $database['password']),
    }
  }
  $settings.each |$key, $value| {
    postgresql::server::config_entry { $key:
      value => $value,
    }
  }
  $rules.each |$name, $rule| {
    postgresql::server::pg_hba_rule { $name:
      * => $rule,
    }
  }
}
