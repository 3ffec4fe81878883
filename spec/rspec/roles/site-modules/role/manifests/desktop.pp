class role::desktop {
  file { 'C:/app': ensure => directory }
}
