# Refuses.
function shop::refuse(String $why) {
  fail("refused: ${why}")
}
