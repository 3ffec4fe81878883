# Has a place be ready.
function kiosk::open(String[1] $place, Hash $articles) {
  file { $place: ensure => directory, mode => '0755', before => Service['till'] }
  $articles.each |$name, $price| {
    file { "${place}/${name}": ensure => file, content => String($price), notify => Service['till'] }
  }
  service { 'till': ensure => running, enable => true, tag => ['kiosk', 'night'] }
}
