$a = "plain"
$b = "it's"
$c = "a\n"
$d = "say \"hi\" for 5 or \"$ 5\""
$dd = "\${a}"
$e = "${a} $b"
$f = 'as it is: ${x}'
$g = "c:\\dir"
$h = "two
   lines  
"
$i = "\u00e9"
$j = ""
$k = "${ a.map|$x|{$x} }"
$l = @(END)
      not   "touched"  
	| END
$m = inline_epp(@("X":epp/n), {'a'=>"b"}) + @(Y)
 <%= $a %>
 | X
 y
 -Y
notice("done")
