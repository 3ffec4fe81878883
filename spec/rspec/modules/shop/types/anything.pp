# See the specs.
type Shop::Anything = Any
