# What there is to drink.
type Kiosk::Drink = Variant[Enum['tea', 'coffee'], Integer[1, 9]]
