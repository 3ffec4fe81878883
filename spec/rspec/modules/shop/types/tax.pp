# See the specs.
type Shop::Tax = Integer[0, 100]
