notice("port ${port")
