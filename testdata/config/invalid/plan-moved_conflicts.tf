moved {
  from = terraform_data.same
  to   = terraform_data.same
}
moved {
  from = terraform_data.p
  to   = terraform_data.q
}
moved {
  from = terraform_data.q
  to   = terraform_data.p
}
moved {
  from = terraform_data.fork
  to   = terraform_data.a
}
moved {
  from = terraform_data.fork
  to   = terraform_data.b
}
moved {
  from = terraform_data.one
  to   = terraform_data.join
}
moved {
  from = terraform_data.two
  to   = terraform_data.join
}
