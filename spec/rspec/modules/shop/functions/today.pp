# The day on which prices are asked for.
function shop::today() >> String {
  Timestamp.new.strftime('%F')
}
