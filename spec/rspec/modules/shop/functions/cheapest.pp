# The article with the lowest price.
function shop::cheapest(Hash[String, Numeric] $articles) >> Optional[String] {
  if $articles.empty { return(undef) }
  $lowest = $articles.values.min
  $articles.filter |$name, $price| { $price == $lowest }.keys[0]
}
