type Ntp::Stratum = Integer[1, 15]
