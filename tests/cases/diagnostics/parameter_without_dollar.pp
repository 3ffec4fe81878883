function doubled(Integer number) {
  $number * 2
}
