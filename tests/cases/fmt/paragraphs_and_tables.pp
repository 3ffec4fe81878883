class a (
  String $b   = 'c',
  Integer $de = 1,

  # The others are wider.
  Hash[String, Integer] $many = {},
  Boolean $x                  = true,
) {
  file { '/a':
    content => epp($template, {
      compress  => $compress,
      databases => $databases,
    }
    ),
    mode => '0644',

    owner   => 'root'
  }
  $options = {
    a    => 1,
    bcd => 2,

    longer_name => 3,
    e => 4,
  }

  $login_sql       = $login       ? { true => 'LOGIN',       default => 'NOLOGIN' }
  $inherit_sql     = $inherit     ? { true => 'INHERIT',     default => 'NOINHERIT' }
  case $x {
    'Debian'  : {
      include a
    }
    default   : {
      include b
    }
  }
  file {
    '/b':
      ensure => file,
      ;
    '/c': ensure => file,;
  }
  File['/a'] -> # first
  File['/b'] ~>

  # then
  Service['c']
}
