# What the night costs.
function kiosk::surcharge() >> Numeric {
  2
}
