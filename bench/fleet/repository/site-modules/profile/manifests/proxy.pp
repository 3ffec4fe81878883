# A proxy before applications.
class profile::proxy (
  Hash[Stdlib::Fqdn, Profile::Upstream] $servers,
) {
  class { 'web':
    settings => { 'client_max_body_size' => '20m', 'keepalive_timeout' => 30 },
  }
  $servers.each |$name, $upstream| {
    $short = regsubst($name, '[.]', '_', 'G')
    web::upstream { $short:
      upstream => $upstream,
    }
    web::site { $name:
      upstream      => $short,
      serveraliases => ["www.${name}"],
      locations     => {
        '/static' => {
          'root'    => "/srv/${name}",
          'expires' => '7d',
        },
      },
    }
  }
}
