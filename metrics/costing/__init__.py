"""What an error costs: cost matrices over two labels and no verdict, and weighted kappa along them."""
