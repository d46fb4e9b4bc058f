Hi ${name}
