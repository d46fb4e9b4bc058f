from_auto      = "auto"
from_test_file = "auto"
