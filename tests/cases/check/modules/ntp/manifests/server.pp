define ntp::server(Integer[1, 65535] $port = 123, Optional[String[1]] $key = undef) {
}
