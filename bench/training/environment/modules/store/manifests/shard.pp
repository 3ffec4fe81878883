# One part of a database.
#
# @param directory of the database
# @param settings of the database
define store::shard (
  Pattern[/\A\//] $directory,
  Store::Database $settings,
) {
  $owner = $settings['owners'][0]
  if ! defined(File[$directory]) {
    file { $directory:
      ensure => directory,
      owner  => $owner,
    }
  }

  file { "${directory}/${title}":
    ensure  => file,
    mode    => '0640',
    owner   => $owner,
    content => "name=${title}\nsize=${settings['size']}\nowners=${settings['owners'].join(',')}\n",
  }
  ~> exec { "store-reload ${title}":
    path        => ['/usr/bin', '/bin'],
    refreshonly => true,
    onlyif      => "test -e ${directory}/${title}",
  }
}
