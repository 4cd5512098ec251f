# Runs a command in a process group of its own. Stops the group when hasp requests it, falls silent or dies.
# Arguments: a folder with a FIFO from hasp, the seconds until hasp counts as silent, the seconds from SIGTERM to SIGKILL, the command.
# Without a command, it only starts a watcher of the one that runs, in the place of a watcher that was killed.
folder=$1 fifo=$1/fifo patience=$2 grace=$3
shift 3

# True if the processes of hasp are the foreground job of a terminal.
in_foreground() {
  local state
  if [ -r "/proc/$$/stat" ]; then
    read -r -d '' state <"/proc/$$/stat"
    set -- ${state##*) } # state ppid pgrp session tty tpgid
    [ "$3" = "$6" ]
  else
    set -- $(ps -o pgid= -o tpgid= -p $$ 2>/dev/null)
    [ -n "$1" ] && [ "$1" = "$2" ]
  fi
}

# Ends this process if the command can't be run.
require() {
  local path=$1 shown=$1
  [[ $shown != *[[:cntrl:]]* ]] || printf -v shown %q "$1"
  [[ $path == */* ]] || path=$(type -P -- "$1")
  if [ ! -e "$path" ]; then
    echo "hasp: $shown: not found" >&3
    exit 127
  elif [ ! -x "$path" ] || [ -d "$path" ]; then
    echo "hasp: $shown: is no program that this user may run" >&3
    exit 126
  fi
}

# Becomes the command.
start() {
  echo "$BASHPID" >"$folder/group" && echo "group $BASHPID" >"$fifo" || exit 69
  require "$1"
  exec "$@" 2>&3 3>&-
}

# Sends SIGTERM to the group, and SIGKILL after the grace if a process of the group is left.
stop_group() {
  : >"$folder/stopped"
  kill -TERM -- "-$1" && kill -CONT -- "-$1"
  sleep "$grace" &
  local timer=$!
  while kill -0 -- "-$1" && kill -0 "$timer"; do sleep 0.02; done
  kill "$timer" || kill -KILL -- "-$1"
  rm -f "$fifo"
}

# Each line of hasp has the word beat, signal, stop or end. The line of the command has the word group.
watch_hasp() {
  local group= stopping= orphaned= early= status word first second
  [ ! -s "$folder/group" ] || read -r group <"$folder/group"
  until [ -n "$stopping" ] && [ -n "$group" ]; do
    read -r -t "$patience" word first second
    status=$?
    if [ $status -gt 128 ]; then
      stopping=silent
    elif [ $status -ne 0 ]; then
      orphaned=yes stopping=dead
      [ -n "$group" ] || break
    else
      case $word in
        group)
          group=$first
          [ -z "$early" ] || kill -s "$early" -- "-$group"
          ;;
        beat) patience=$first grace=$second ;;
        signal) if [ -n "$group" ]; then kill -s "$first" -- "-$group"; else early=$first; fi ;;
        stop) stopping=asked grace=$first ;;
        end)
          rm -f "$fifo"
          return
          ;;
      esac
    fi
  done
  [ -z "$group" ] || stop_group "$group"
  [ -z "$orphaned" ] || rm -rf "$folder"
}

# Starts a watcher in a process group of its own. Hasp looks for it in its file.
start_watcher() {
  set -m
  watch_hasp <"$fifo" >/dev/null 2>&1 3>&- &
  watcher=$!
  echo "$watcher" >"$folder/watcher"
}

# Continues the command after a stop, and waits. On a terminal, all of hasp has stopped with it, and the shell of the user has continued it.
resume() {
  if [ "$terminal" = /dev/null ]; then
    sleep 0.2
    [ -z "$(jobs -pr %2)" ] || fg %2 >/dev/null
    return
  fi
  if [ "$status" -ne 149 ] || ! in_foreground; then # 149: it read from the terminal in the background.
    kill -STOP 0
  fi
  if ! kill -0 "$leader" 2>/dev/null; then
    return "$status" # The watcher has ended it.
  elif in_foreground; then
    fg %2 >/dev/null
  else
    bg %2 >/dev/null
    wait "$leader"
  fi
}

if [ $# -eq 0 ]; then
  start_watcher
  exit
fi
terminal=/dev/null
! (: </dev/tty) 2>/dev/null || terminal=/dev/tty
# Job control takes the terminal from descriptor 2, so the command has its standard error from 3.
exec 3>&2 2<>"$terminal"
# A signal to all processes of hasp must not end this one before the command. The command gets the default reactions.
trap : HUP INT QUIT TERM USR1 USR2
start_watcher
if [ "$terminal" = /dev/null ] || in_foreground; then
  (start "$@")
else
  (start "$@") &
  trap '' HUP INT QUIT TERM TTIN TTOU USR1 USR2 # They would end the wait.
  wait $!
fi
status=$?
trap '' HUP INT QUIT TERM TTIN TTOU USR1 USR2
leader=$(jobs -p %2 2>/dev/null)
while [ -n "$leader" ] && kill -0 "$leader" 2>/dev/null; do
  resume
  status=$?
done
exec 2>/dev/null
[ ! -p "$fifo" ] || echo end >"$fifo"
wait "$watcher"
rm -f "$fifo" # Without it, hasp knows that this process was not killed.
exit $status
