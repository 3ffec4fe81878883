# A service in Java.
type Profile::Service = Struct[{
  version  => Pattern[/\A\d+(\.\d+)*\z/],
  memory   => Integer[16],
  settings => Hash[String, Scalar],
}]
