# PHP with what applications want.
class profile::php (
  Hash[String, Hash] $extensions,
  Hash[String, Hash] $pools,
  Hash[String, Variant[String, Integer]] $settings,
) {
  class { 'php':
    manage_repos => false,
    fpm          => true,
    composer     => false,
    dev          => false,
    pear         => false,
    settings     => $settings,
    extensions   => $extensions,
    fpm_pools    => $pools,
  }
}
