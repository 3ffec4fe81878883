# How many connections a database of a size may have.
function store::limit(Integer $size) >> Integer {
  $size ? {
    Integer[0, 10]   => 20,
    Integer[11, 100] => 20 + 2 * $size,
    default          => 400,
  }
}
