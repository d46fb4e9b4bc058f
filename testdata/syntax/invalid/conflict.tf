locals {
<<<<<<< HEAD
  a = 1
||||||| base
  a = 0
=======
  a = 2
>>>>>>> feature
}
