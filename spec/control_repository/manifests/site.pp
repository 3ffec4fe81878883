# What holds for all nodes.
File {
  owner => 'root',
  group => 'root',
}

if $trusted['certname'] == undef {
  fail('a node needs a name')
}

notify { "site of ${datacenter}":
  message => "environment ${environment} in ${datacenter}",
}
