# Completion for bash: xplan itself tells what a word may become.
complete -o default -o nospace -C xplan xplan
