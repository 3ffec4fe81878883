file{'/a':ensure=>file,mode => '0644'}
file {'/b':
ensure=>file,
   owner => 'root' , group=>'root',
    require=>[Package['a'],
      Package['b']]
}
file { '/c': ensure => file,
  mode => '0644' }
file
{
  '/d':
  ensure => file;
  '/e':
      ensure => directory,
      recurse => true
}
file {
  '/f':    mode => '0600';
  '/gh':   mode => '0644';
}
file { ['/i',
  '/j']:
    ensure => file
}
class {'ntp':}
@@ sshkey { $facts['fqdn'] :  key=>$key , }
File{owner=>'root',
mode=>'0644'}
File['/b','/c']{
  mode=>'0600'
}
package { 'a'
  : ensure
  => present
  , name => 'b' }
Service<|title=='a'|>{ensure=>running,
  enable => true}
Service <<||>>
user { 'x': * => $attributes ; 'y': * => { uid => 1 } }
