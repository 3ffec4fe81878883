define shelf { }
