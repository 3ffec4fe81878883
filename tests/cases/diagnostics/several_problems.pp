class motd(String $title, $motd = {'a' => 1, 'a' => 2}, $motd = 1) {
  "\d"
  $a::b = 1
  'no effect'
  notice('é', $x) + 1
  class { 'x': }
}
