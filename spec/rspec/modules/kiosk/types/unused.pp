# No spec names it.
type Kiosk::Unused = String
