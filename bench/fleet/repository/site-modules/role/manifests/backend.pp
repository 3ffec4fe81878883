# Services in Java, with their queue.
class role::backend {
  include profile::base
  include profile::java
  include profile::queue
}
