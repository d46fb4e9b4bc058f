variable "i" {}
variable "j" { type = number }
locals { z = [].foo }
output "o" { value = {}.foo }
