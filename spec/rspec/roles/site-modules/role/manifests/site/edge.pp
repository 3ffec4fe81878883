class role::site::edge inherits role::web {
  notify { $facts['os']['name']: }
}
