# Serves the sites that data has.
#
# @param sites parameters of sites by their names
class profile::web (
  Hash[String[1], Hash] $sites = {},
) {
  package { 'nginx':
    ensure => installed,
  }
  -> file { '/etc/nginx/sites-enabled':
    ensure  => directory,
    purge   => true,
    recurse => true,
  }
  ~> service { 'nginx':
    ensure => running,
    enable => true,
  }

  $sites.each |$name, $parameters| {
    webapp::site { $name:
      * => $parameters,
    }
  }

  Webapp::Site <| port != 8080 |> {
    priority => 20,
  }

  Accounts::User <| title == 'bob' |> -> Service['nginx']
}
