class role::lost {
  notify { 'here': require => Package['nowhere'] }
}
