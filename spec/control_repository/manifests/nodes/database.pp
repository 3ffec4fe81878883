node 'db1.example.com' {
  include role::database
}
