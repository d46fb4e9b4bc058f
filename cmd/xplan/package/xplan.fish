# Completion for fish: xplan itself tells what a word may become.
complete -c xplan -f -a "(env COMP_LINE=(commandline -cp) xplan)"
