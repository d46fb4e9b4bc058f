

# A remark about all of it
locals   {
	one=1
  twelve   =12
    /* before */ long_name_of_it   =   "x"   # trailing
  multi={
  a:1,b=2
      "c"   : [1,2 , 3,]
  (  local.one )=4
  }
  after=true // slashes
  empty={ }
  none=[ ]

  far  = 1 # aligned
  farther_away = 22   # with this

  nothing_between = null
  calls=[max( 1,2 ),min(  [1,2]...), provider::a::b( 1 ),f()]
  unary=[ - 1,! true, 2- 1, (- 1), 1 + - 2, -local.one]
  math=1+2*3/4%5-6
  logic=a==b&&c!=d||!e&&(f>=1||g<=2)&&h<1&&i>1
  choice=a?b:c
  splat=[x[*].y,x.*.y,x [0] .y, x . y]
  loops=[for k,v in{a=1}:"${k}"if v!=null]
  group={for v in["a"]:v=>v...}
  in_list=[for v in[1]:v]
  in=in[0]
  template="a${ b }c%{ if d }e%{ else }f%{ endif }${~ g ~}"
  escaped="$${not} %%{this} \"quoted\" \\${b}"
  nested="x${"${a}"}"
  lone="${a}"
  lone_call = "${ f( "${b}" ) }"
  two_of_them="${a}${b}"
  wide="日本語"   # wide
  w="é"  # combining e
  text=<<EOT
  kept   as it is ${ a+b }
	%{ for x in y ~}
${x}
%{endfor}
EOT
  indented=<<-EOT
      ${ {
  a=1
   } } x
      EOT
  behind=1
      lists=[
    1,
        # about two
  2,
  [
  3
    ],{
    a=1
  }]
  call=f(
    1,{
      a=2
    },
    [for x in y:
      x
    ])
  parens=(
    1
    +2
  )
     dots = (a.
       b)
}
 variable  x  {
type=string
}
variable "y" {
  type="list"
  default="${list("a")}"
}
variable "z" { type="map" }
variable old { type=list }
resource terraform_data  "b"{
  input="${
    terraform_data.x
    .output
  }"
  lifecycle{ignore_changes=["input"]}
  dynamic   block    {
    for_each=[1]
    content{ }
  }


  provisioner "local-exec" { command="true" } # here
}
terraform {
  required_providers {
    a={source="b/c"
    version="~> 1.0"}
  }
}
/* several
   lines
     stay */
output o { value=1 } 
