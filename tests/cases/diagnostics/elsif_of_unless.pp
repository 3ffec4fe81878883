unless $a {
  include a
} elsif $b {
  include b
}
