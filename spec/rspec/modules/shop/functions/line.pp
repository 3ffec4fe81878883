# A line of a receipt.
function shop::line(String[1] $name, Numeric $price, Integer[1] $width = 10) >> String {
  sprintf("%-${width}s %8.2f", $name, $price)
}
