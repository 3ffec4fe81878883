# See the specs.
type Shop::Ean = Pattern[/\A\d{13}\z/, /\A\d{8}\z/]
