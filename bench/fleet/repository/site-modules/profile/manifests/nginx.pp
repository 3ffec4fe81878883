# Nginx before applications.
class profile::nginx (
  Hash[Stdlib::Fqdn, Profile::Upstream] $servers,
) {
  class { 'nginx':
    manage_repo => false,
  }
  $servers.each |$name, $upstream| {
    $short = regsubst($name, '[.]', '_', 'G')
    nginx::resource::upstream { $short:
      members => $upstream['members'].reduce({}) |$members, $member| {
        $members + { "${member}:${upstream['port']}" => { 'server' => $member, 'port' => $upstream['port'] } }
      },
    }
    nginx::resource::server { $name:
      proxy       => "http://${short}",
      listen_port => 80,
      server_name => [$name, "www.${name}"],
    }
    nginx::resource::location { "${name}/static":
      server   => $name,
      location => '/static',
      www_root => "/srv/${name}",
      expires  => '7d',
    }
  }
}
