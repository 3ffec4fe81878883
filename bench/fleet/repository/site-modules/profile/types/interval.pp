# How often, as in `5m`.
type Profile::Interval = Pattern[/\A[1-9][0-9]*[smh]\z/]
