# The service that keeps the time.
class ntp::service {
  service { 'ntp':
    ensure => $ntp::ensure,
    enable => $ntp::ensure ? {
      'running' => true,
      default   => false,
    },
  }
}
