

#!/usr/bin/env puppet  
  # indented
class a { # opens

    # first
    $b = 1 # trailing   


      # second



  /* a block
     of lines   
   */
  $c = [ # opens, too
    1, # one
    22,     # two
    # the end
  ] # closed
  file { '/a':
      # before
    ensure => file, # after
      # last
  }
  $d = 1     # these are
  $efg = 2   # aligned
  $h = 3 /* within */ + 4
  if $x
    # why
    and $y { }
# last
}
  # nothing follows
