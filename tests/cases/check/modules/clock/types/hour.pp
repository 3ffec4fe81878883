type Clock::Hour = Integer[0, 23]
