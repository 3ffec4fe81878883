# A check.
define profile::check (
  String[1] $command,
  Profile::Interval $interval = '5m',
  Numeric $warning = 80,
  Numeric $critical = 95,
) {
  $seconds = profile::seconds($interval)
  concat::fragment { "check ${name}":
    target  => '/etc/monitoring/checks.conf',
    content => "[${name}]\ncommand = ${command} --warning ${warning} --critical ${critical}\nevery = ${seconds}\n",
    order   => $name,
  }
  file { "/etc/monitoring/${name}.ignored":
    ensure => $facts['virtual'] ? {
      'docker' => file,
      default  => absent,
    },
  }
}
