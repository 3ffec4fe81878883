# A site, with its directory, logs and locations.
define web::site (
  Stdlib::Port $port = 80,
  Integer[0, 99] $priority = 25,
  Array[Stdlib::Fqdn] $serveraliases = [],
  Optional[String[1]] $upstream = undef,
  String[1] $administrator = "webmaster@${name}",
  Hash[String, Web::Answer] $locations = {},
) {
  include web

  $root = "/srv/${name}"
  $logs = "/var/log/${web::server}"
  $file = sprintf('/etc/%s/sites/%02d-%s.conf', $web::server, $priority, $name)

  file { $root:
    ensure => directory,
  }
  concat { $file:
    owner  => 'root',
    group  => 'root',
    mode   => '0644',
    notify => Class['web::service'],
  }
  concat::fragment { "${name} head":
    target  => $file,
    order   => '00',
    content => epp('web/site.epp', {
        'name'          => $name,
        'aliases'       => $serveraliases,
        'port'          => $port,
        'root'          => $root,
        'logs'          => $logs,
        'administrator' => $administrator,
        'upstream'      => $upstream,
    }),
  }
  $locations.each |$path, $location| {
    web::location { "${name}${path}":
      target   => $file,
      path     => $path,
      location => $location,
    }
  }
  concat::fragment { "${name} end":
    target  => $file,
    order   => '99',
    content => "}\n",
  }
  profile::log_rule { regsubst($name, '[.]', '_', 'G'):
    path   => "${logs}/${name}.*.log",
    rotate => 7,
  }
}
