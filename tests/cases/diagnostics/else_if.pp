if $a {
  include a
} else if $b {
  include b
}
