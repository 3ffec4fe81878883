# See the specs.
type Shop::Price = Variant[Integer[0], Float[0.0]]
