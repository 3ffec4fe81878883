class motd {
  if $facts['kernel'] == 'Linux' {
    include motd::linux
}
