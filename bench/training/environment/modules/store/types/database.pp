# The size is in gigabytes.
type Store::Database = Struct[{
  size   => Integer[1],
  owners => Array[String[1], 1],
}]
