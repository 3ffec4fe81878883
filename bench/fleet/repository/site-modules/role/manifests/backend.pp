# Services in Java.
class role::backend {
  include profile::base
  include profile::java
}
