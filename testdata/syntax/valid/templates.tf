locals {
  users = "%{for u in local.users}[${u}]%{endfor}"
  text  = <<-EOT
    %{~ for i, u in local.users ~}
    ${i + 1}. ${u}
    %{~ if i == 1 }
    (second)
    %{ endif ~}
    %{~ endfor ~}
    end
  EOT
  call = upper(<<X
shout ${join("-", local.users)}
X
  )
  uni = "žluťoučký ${local.日本} \u00e9${a}"
}
