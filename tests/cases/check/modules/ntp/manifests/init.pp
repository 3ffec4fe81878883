class ntp(Array[String[1], 1] $servers, Boolean $iburst = true) {
  $config = '/etc/ntp.conf'
}
