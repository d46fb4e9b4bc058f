locals { here = path.module }
