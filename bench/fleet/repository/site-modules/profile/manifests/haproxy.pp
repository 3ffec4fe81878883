# HAProxy before proxies.
class profile::haproxy (
  Hash[String, Profile::Upstream] $services,
) {
  include haproxy

  $services.each |$name, $upstream| {
    haproxy::frontend { $name:
      bind    => { "*:${upstream['port']}" => [] },
      options => { 'default_backend' => $name },
    }
    haproxy::backend { $name:
      options => { 'balance' => 'roundrobin', 'option' => ['httplog', 'forwardfor'] },
    }
    $upstream['members'].each |$member| {
      haproxy::balancermember { "${name} ${member}":
        listening_service => $name,
        ports             => String($upstream['port']),
        server_names      => $member,
        ipaddresses       => $member,
        options           => 'check',
      }
    }
  }
}
