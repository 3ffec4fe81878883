define ntp::key(String[1] $secret, Enum['md5', 'sha1'] $digest = 'sha1') {
}
