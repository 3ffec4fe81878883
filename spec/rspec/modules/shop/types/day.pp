# See the specs.
type Shop::Day = Enum['monday', 'tuesday', 'wednesday']
