class role::mail {
  include profile::base
  include profile::mail
}
