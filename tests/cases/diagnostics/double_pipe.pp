if $a || $b {
  include a
}
