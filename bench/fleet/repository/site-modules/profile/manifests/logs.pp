# What becomes of logs.
class profile::logs (
  Hash[String, Hash] $rules,
) {
  include logrotate

  $rules.each |$name, $rule| {
    logrotate::rule { $name:
      * => {
        'path'          => "/var/log/${name}/*.log",
        'rotate'        => 14,
        'rotate_every'  => 'day',
        'compress'      => true,
        'missingok'     => true,
        'delaycompress' => true,
      } + $rule,
    }
  }
}
