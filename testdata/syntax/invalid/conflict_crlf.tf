<<<<<<< HEAD
a = 1
>>>>>>> feature
