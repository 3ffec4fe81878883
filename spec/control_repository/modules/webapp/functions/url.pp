# The address of a site.
function webapp::url(String[1] $name, Webapp::Port $port) >> String[1] {
  "http://${name}.${facts['networking']['domain']}:${port}/"
}
