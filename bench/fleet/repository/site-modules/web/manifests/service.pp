# The server's process.
class web::service {
  service { $web::server:
    ensure     => running,
    enable     => true,
    hasrestart => true,
  }
}
