# Servers that requests are passed to.
define web::upstream (
  Profile::Upstream $upstream,
) {
  include web

  file { "/etc/${web::server}/upstreams/${name}.conf":
    content => epp('web/upstream.epp', { 'name' => $name, 'upstream' => $upstream }),
    notify  => Class['web::service'],
  }
}
