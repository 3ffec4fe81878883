if $a {
  include a
} elseif $b {
  include b
}
