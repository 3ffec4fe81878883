node /^web(\d+)\./ {
  $number = $1
  notice("web server number ${number}")
  include role::webserver
}
