# Not a class.
define role::helper { }
