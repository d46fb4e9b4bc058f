locals { a = 1 }
/* never closed
locals { b = 1 }
