$defaults = { 'port': 8080 }
