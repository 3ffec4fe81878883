# Where requests go.
type Profile::Upstream = Struct[{
  port    => Stdlib::Port,
  members => Array[Stdlib::Host, 1],
}]
