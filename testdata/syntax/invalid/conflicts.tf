locals {
<<<<<<< HEAD
  a = 1
=======
  a = 2
>>>>>>> feature
}
locals {
<<<<<<< HEAD
  b = 1
=======
  b = 2
>>>>>>> feature
}
