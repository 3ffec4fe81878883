# Checkouts of code.
class profile::vcs (
  Hash[Stdlib::Absolutepath, Hash] $checkouts,
) {
  $checkouts.each |$path, $checkout| {
    vcsrepo { $path:
      * => { 'ensure' => 'latest', 'provider' => 'git', 'user' => 'git' } + $checkout,
    }
  }
  user { 'git':
    ensure => present,
    system => true,
  }
}
