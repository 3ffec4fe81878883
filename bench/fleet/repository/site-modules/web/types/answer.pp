# Where the answers of a location come from.
type Web::Answer = Struct[{
  Optional[proxy]   => String[1],
  Optional[root]    => Stdlib::Absolutepath,
  Optional[expires] => Pattern[/\A\d+[smhd]\z/],
  Optional[headers] => Hash[String, String],
}]
