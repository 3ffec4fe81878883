# When the shop opens, as data says.
function shop::opening() {
  lookup('shop::opening', Integer, 'first', 0)
}
