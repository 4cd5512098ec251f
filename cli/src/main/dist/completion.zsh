#compdef hasp
# zsh reads the completion for bash.
autoload -U +X bashcompinit && bashcompinit
source "${${(%):-%x}:A:h}/../../bash-completion/completions/hasp"
_bash_complete -o default -F _complete_hasp
