# Archives of packages and of code.
class role::repository {
  include profile::base
  include profile::vcs
  include profile::sites
}
