$port => 8080
