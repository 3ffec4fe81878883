# A bakery on a node.
#
# @param ensure whether it is open
# @param opening when it opens
# @param breads what it bakes, by name
# @param secret the recipe
class bakery (
  Enum['open', 'closed'] $ensure = 'open',
  String[1] $opening = '07:00',
  Hash[String[1], Integer[1]] $breads = {},
  Optional[Sensitive[String[1]]] $secret = undef,
  Optional[Type[Resource]] $before_all = undef,
) {
  contain bakery::oven

  package { 'flour':
    ensure => installed,
    name   => "flour-${facts['os']['family'].downcase}",
  }

  file { '/etc/bakery.conf':
    ensure  => file,
    mode    => '0644',
    content => "opening = ${opening}\nnode = ${trusted['certname']}\n",
    require => Package['flour'],
    notify  => Class['bakery::oven'],
  }

  file { '/etc/bakery':
    ensure => directory,
    tag    => ['sweet', 'savoury'],
  }

  $breads.each |$name, $count| {
    bakery::bread { $name: count => $count }
  }

  if $secret {
    file { '/etc/bakery/recipe': content => $secret }
    exec { 'hide': command => Deferred('sprintf', ['/bin/hide %s', 'recipe']), refreshonly => true, subscribe => File['/etc/bakery/recipe'] }
  }

  if $ensure == 'closed' {
    fail("bakery ${facts['networking']['fqdn']} is closed")
  }

  @@notify { 'fresh bread': message => "at ${facts['networking']['fqdn']}" }
  @user { 'baker': uid => 200 }
}
