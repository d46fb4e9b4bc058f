# there is something here
