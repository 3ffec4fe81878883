# A database, and who uses it.
type Profile::Database = Struct[{
  user     => String[1],
  password => Variant[String[1], Sensitive[String[1]]],
  host     => String[1],
  grant    => Array[Enum['ALL', 'SELECT', 'INSERT', 'UPDATE', 'DELETE'], 1],
}]
