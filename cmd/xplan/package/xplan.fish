# Completion for fish: xplan itself tells what a word may become.
function __xplan_words; env COMP_LINE=(commandline -cp) xplan; end
complete -c xplan -n 'count (__xplan_words) >/dev/null' -f -a '(__xplan_words)'
