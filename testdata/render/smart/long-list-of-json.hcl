# JSON in a list of strings, one of which changes.
type = "aws_sfn_state_machine"
before = { name = "m", definitions = [jsonencode({ StartAt = "A", Comment = "first of the state machines" }), jsonencode({ StartAt = "B", States = { B = { Type = "Pass", Next = "C" } } })] }
after  = { name = "m", definitions = [jsonencode({ StartAt = "A", Comment = "first of the state machines" }), jsonencode({ StartAt = "B", States = { B = { Type = "Pass", Next = "D" } } })] }
