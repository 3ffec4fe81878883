# Rotation of some files.
define profile::log_rule (
  String[1] $path,
  Integer[1] $rotate = 14,
  Enum['daily', 'weekly', 'monthly'] $every = 'daily',
  Array[String] $options = ['compress', 'delaycompress', 'missingok', 'notifempty'],
) {
  include profile::logs

  file { "/etc/logrotate.d/${name}":
    mode    => '0444',
    content => epp('profile/log_rule.epp', { 'path' => $path, 'every' => $every, 'options' => $options + ["rotate ${rotate}"] }),
    require => Package['logrotate'],
  }
}
