syntax error here {
