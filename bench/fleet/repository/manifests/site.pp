# What a machine is for is a fact of it.
node default {
  $role = $facts['role']
  unless $role =~ Pattern[/\A[a-z_]+\z/] {
    fail("${trusted['certname']} has no role")
  }
  include "role::${role}"
}
