# A coin.
type Till::Coin = Variant[Integer[1, 2], Enum["5", "10"]]
