# See the specs.
type Shop::Secret = Sensitive[String[8]]
