$ports = max(80, min($a, 443)
notice($ports)
