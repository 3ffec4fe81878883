# How many seconds an interval has.
function profile::seconds(Profile::Interval $interval) >> Integer {
  $units = { 's' => 1, 'm' => 60, 'h' => 3600 }
  $number = Integer($interval[0, -2])
  $number * $units[$interval[-1]]
}
