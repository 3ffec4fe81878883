# The counter of this node.
function shop::counter() >> String {
  "${facts['os']['family']}/${trusted['certname']}/${trusted['extensions']['role']}"
}
