# Files that all sites share.
class web::config {
  $directory = "/etc/${web::server}"
  $defaults = { 'keepalive_timeout' => 65, 'gzip' => true, 'server_tokens' => false }

  file {
    default:
      owner => 'root',
      group => 'root',
      mode  => '0644';
    [$directory, "${directory}/sites", "${directory}/upstreams", "${directory}/modules"]:
      ensure  => directory,
      recurse => true,
      purge   => true;
    "${directory}/server.conf":
      content => epp('web/server.conf.epp', { 'workers' => $web::workers, 'settings' => $defaults + $web::settings });
  }
  $web::modules.each |$index, $module| {
    web::module { $module:
      order => $index,
    }
  }
}
