class motd {
  include motd::linux
}
}
