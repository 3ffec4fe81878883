# Rotation of logs.
class profile::logs (
  Hash[String, Hash] $rules,
) {
  package { 'logrotate':
    ensure => installed,
  }
  file {
    '/etc/logrotate.d':
      ensure  => directory,
      purge   => true,
      recurse => true,
      require => Package['logrotate'];
    '/etc/logrotate.conf':
      content => "weekly\nrotate 4\ncreate\ninclude /etc/logrotate.d\n",
      require => Package['logrotate'];
  }
  $rules.each |$name, $rule| {
    profile::log_rule { $name:
      * => { 'path' => "/var/log/${name}/*.log" } + $rule,
    }
  }
}
