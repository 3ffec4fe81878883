# Declares the users of all nodes, for those that need some of them.
#
# @param users parameters of users by their names
class accounts (
  Hash[String[1], Hash] $users = {},
) {
  create_resources('@accounts::user', $users, { 'shell' => '/bin/bash' })
}
