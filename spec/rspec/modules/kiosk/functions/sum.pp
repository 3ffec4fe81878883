# What a basket costs at night.
function kiosk::sum(Array[Numeric] $nets) >> Numeric {
  shop_total($nets.map |$net| { shop::price($net) }) + kiosk::surcharge()
}
