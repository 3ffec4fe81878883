# A queue between services.
class profile::queue (
  Hash[String, Array[String]] $hosts,
) {
  class { 'rabbitmq':
    repos_ensure      => false,
    admin_enable      => false,
    delete_guest_user => true,
    config_variables  => { 'frame_max' => 131072, 'hipe_compile' => false },
  }
  $hosts.each |$host, $users| {
    rabbitmq_vhost { $host:
      ensure => present,
    }
    $users.each |$user| {
      rabbitmq_user_permissions { "${user}@${host}":
        configure_permission => '.*',
        read_permission      => '.*',
        write_permission     => "^${user}[.]",
        require              => Rabbitmq_vhost[$host],
      }
    }
  }
}
