# A port that needs no privileges.
type Webapp::Port = Integer[1024, 65535]
