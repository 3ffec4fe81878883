function ntp::line(String[1] $server, Boolean $iburst = false) >> String {
  if $iburst { "server ${server} iburst" } else { "server ${server}" }
}
