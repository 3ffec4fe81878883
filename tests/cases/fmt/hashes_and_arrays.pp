$a = {a=>1,'bcd'=>2}
$b = { a => 1,
       'bcd' => [1,2 , 3],
       # the last
       e => {},
     }
$c = [ ]
$d = [
  1, 2, 3,
  4, 5, 6 ]
$e = [{ a => 1,
    long => 2 },
  {
  b => 2 }]
$f = [{
    x => 1 }, {
    y => 2
  }]
$g =
{
  h => 1
}
$h = [
  'a' # one
  , 'b' # two
  # three
]
$i = [
  @(A),
    one
    | A
  @("B"/L)
    two ${x}
    |- B
]
$j = $a [1]
$k = $b['bcd'] [ 0 ][-1 ]
notice [1],[2]
$l = [[1,2],
[3,4]]
$m = merge({ a => 1, bc=>2 },{
    a => 1,
      bcd => $x ? {default=>1,
        2 => 3 }
  })
$n = [a,
  b,]
