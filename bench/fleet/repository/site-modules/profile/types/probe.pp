# Something that is looked at regularly.
type Profile::Probe = Struct[{
  command            => String[1],
  Optional[interval] => Profile::Interval,
  Optional[warning]  => Numeric,
  Optional[critical] => Numeric,
}]
