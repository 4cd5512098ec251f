#compdef hasp
# zsh reads the completion for bash.
autoload -U +X bashcompinit && bashcompinit
# zsh has no compopt, which only decides how a reply is shown.
whence compopt > /dev/null || compopt() { return 0 }
source "${${(%):-%x}:A:h}/../../bash-completion/completions/hasp"
_bash_complete -o default -F _complete_hasp
