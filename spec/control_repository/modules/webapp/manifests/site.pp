# A site that the web server serves.
#
# @param port where its application listens
# @param aliases further names of the site
# @param priority which of several sites comes first
# @param settings what the application reads
define webapp::site (
  Webapp::Port $port,
  Array[String[1]] $aliases = [],
  Integer $priority = 10,
  Hash $settings = {},
) {
  $url = webapp::url($name, $port)

  file { "/etc/nginx/sites-enabled/${priority}-${name}.conf":
    ensure  => file,
    content => template('webapp/site.erb'),
    notify  => Service['nginx'],
  }

  notify { "site ${name}":
    message => { 'url' => $url, 'settings' => $settings, 'priority' => $priority },
  }
}
