from_test_file = "tests"
from_option    = "tests"
