locals { nothing = 0 }
