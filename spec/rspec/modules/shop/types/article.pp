# See the specs.
type Shop::Article = Struct[{name => String[1], net => Shop::Price, Optional[tax] => Shop::Tax}]
