# The nodes of the training: all run the same store.
node default {
  include store

  File <| tag == 'store' |> { backup => false }
}
