# See the specs.
type Shop::Mode = Pattern[/\A[0-7]{4}\z/]
