# See the specs.
type Shop::Shelf = Array[Variant[Shop::Article, Array[Shop::Article]], 1, 3]
