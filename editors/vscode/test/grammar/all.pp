# @summary Every construct of the language
#
# @param port
#   The port
# @example Usage
#   include all
# lint:ignore:140chars
/* A block
   comment */
class all (
  Integer[1, 65535] $port = 0x1F90,
  Optional[Array[String[1]]] $names = undef,
  Stdlib::Absolutepath $path = '/etc/it\'s',
  ::Other::Type $other = default,
) inherits all::params {
  include all::install
  require 'stdlib'
  contain ::all::service
  $sum = 1 + 2 * 3 / 4 - 5 % 6
  $octal = 0755
  $float = 1.5e-3
  $text = "a ${port} b ${facts['os']['family']} c ${names.map |$n| { "${n}x" }} $port \n \u{1F600} \\ \$x"
  $nested = "a ${ { 'k' => "v${port}" }['k'] } z"
  $list = [1, 'two', three, true, false, undef, default]
  $hash = { key => 1, 'other' => 2, if => 3 }
  $half = $sum / 2
  $quarter = $half / 2 / 2

  if $facts['os']['family'] == 'Debian' and $port =~ Integer or !($path =~ /^\/etc\/[a-z]+(\d*)$/) {
    notice("yes")
  } elsif 'a' in $names {
    warning "no"
  } else {
    fail('never')
  }

  unless $port !~ /x/ { debug('u') }

  case $facts['kernel'] {
    'Linux', /(?i:bsd)$/: { $os = 'unix' }
    default: { $os = undef }
  }

  $chosen = $os ? {
    /unix/  => 'u',
    default => 'other',
  }

  file { '/etc/app.conf':
    ensure  => file,
    mode    => '0644',
    content => epp('all/app.conf.epp', { 'port' => $port }),
    require => Package['app'],
    *       => $hash,
    tag    +> ['a'],
  }

  file {
    default:
      owner => root;
    ['/a', "/b/${port}"]:
      ensure => directory;
  }

  @package { 'app': ensure => present }
  @@all::export { $title: }
  class { 'all::service': enable => true }
  class { all::other: }

  File { owner => 'root' }
  File['/etc/app.conf'] { mode => '0600' }
  Package <| title == 'app' and tag != 'x' |> { ensure => latest }
  All::Export <<| |>>

  Package['app'] -> File['/etc/app.conf'] ~> Service['app']
  Service['app'] <- Exec['a'] <~ Exec['b']

  $names.each |Integer $index, String $name| { notice($name) }
  $found = $names.filter |$n| { $n =~ /a/ }.map |$n| { $n.upcase }
  $lambda = [1, 2].reduce(0) |$memo, $value| { $memo + $value }
  with(1) |*$rest| { return() }
  create_resources(file, $hash)
  $type = Variant[Enum['a', 'b'], Pattern[/\Ax/], Struct[{ a => Integer, Optional['b'] => String }]]
  $all::other::variable = $::fqdn
  [$a, $b] = [1, 2]
  $list2 = $list << 1 + [2] - [1]

  $here = @(END)
    plain ${not} text
    | END
  $there = @("TEXT"/L)
    a ${port} and $names \
    | - TEXT
  $json = @("JSON":json/$n)
    { "a": ${port} }
    |-JSON
  notify { @(ONE): message => @("TWO") }
    first
    | ONE
    second ${port}
    | TWO
  $after = 1
}

define all::export (String $param = "x", $other = $title) {
  notify { "${title}-${param}": }
}

function all::add(Integer $a, Integer *$rest) >> Integer {
  $a + $rest.reduce |$m, $v| { $m + $v }
}

type All::Port = Integer[1, 65535]
type All::Thing = Object[attributes => { name => String }]

node default { }
node 'web1.example.com', /^db\d+$/ inherits base { include role::web }
node web2 { }

plan all::deploy(TargetSpec $targets) {
  apply($targets) { include all }
  return run_task('x', $targets, '_catch_errors' => true)
}
