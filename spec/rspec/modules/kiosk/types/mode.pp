# How the kiosk is run.
type Kiosk::Mode = Optional[Enum['open', 'closed']]
