# A store with some databases, each of which has many shards.
#
# @param port that the store listens at
# @param databases by their names
# @param settings of the configuration file
# @param shards how many each database has
class store (
  Integer[1, 65535] $port,
  Hash[Pattern[/\A[a-z]+\z/], Store::Database] $databases,
  Hash[String, Scalar] $settings = {},
  Integer[1] $shards = 40,
) {
  $directory = $facts['os']['family'] ? {
    'FreeBSD' => '/usr/local/etc/store',
    default   => '/etc/store',
  }
  $limits = $databases.reduce({}) |$all, $entry| {
    $all + { $entry[0] => store::limit($entry[1]['size']) }
  }

  package { 'store':
    ensure => installed,
  }
  -> file {
    default:
      owner => 'root',
      mode  => '0644',
      ;
    $directory:
      ensure => directory,
      ;
    "${directory}/store.conf":
      content => epp('store/store.conf.epp', { 'settings' => $settings, 'limits' => $limits }),
      ;
  }
  ~> service { 'store':
    ensure => running,
    enable => true,
  }

  $databases.each |$name, $database| {
    Integer[1, $shards].each |$number| {
      store::shard { "${name}-${number}":
        directory => "${directory}/${name}",
        settings  => $database,
        before    => Service['store'],
      }
    }
  }
}
