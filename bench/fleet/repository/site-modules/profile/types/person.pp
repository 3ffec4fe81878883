# A person who may log in.
type Profile::Person = Struct[{
  uid               => Integer[5001],
  Optional[key]     => String[1],
  Optional[shell]   => Stdlib::Absolutepath,
  Optional[aliases] => Hash[String, String],
}]
