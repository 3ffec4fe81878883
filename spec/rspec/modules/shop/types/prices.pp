# See the specs.
type Shop::Prices = Hash[String[1], Optional[Shop::Price]]
