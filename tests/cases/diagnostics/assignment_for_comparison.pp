if $facts['kernel'] = 'Linux' {
  include linux
}
