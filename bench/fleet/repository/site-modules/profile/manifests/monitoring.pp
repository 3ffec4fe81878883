# What is asked of a machine from outside, and what it says of itself.
class profile::monitoring (
  Hash[String, Profile::Probe] $checks,
) {
  concat { '/etc/monitoring/checks.conf':
    ensure_newline => true,
  }
  file { '/etc/monitoring':
    ensure => directory,
  }
  $checks.each |$name, $check| {
    profile::check { $name:
      * => $check,
    }
  }
  file { '/etc/monitoring/agent.conf':
    content => template('profile/agent.conf.erb'),
  }
}
