type Test::Tree = Variant[Integer, Array[Test::Tree]]
type Test::Json = Variant[Undef, Boolean, Numeric, String, Array[Test::Json], Hash[String, Test::Json]]
type Test::Port = Integer[1, 65535]
