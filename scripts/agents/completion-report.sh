# Completion reports from shell scripts. Source this file in a POSIX shell (sh, dash, bash, …), then call, when the work
# is done, waits or cannot go on:
#
#   complete_success AGENT MESSAGE [NEXT_AGENT…]
#   complete_partial AGENT MESSAGE [NEXT_AGENT…]
#   complete_blocked AGENT REASON
#
# Each prints one <agent_completion> element to standard output, framed for people. Whatever the arguments hold, what is
# printed is well formed: they are escaped, never run and never taken as options. Names get one @, given with it or not.
#
# The functions run in subshells, so they leave no variables behind, and they work under `set -eu`.

complete_success() (
  if [ "$#" -lt 2 ]; then
    completion_report_usage 'complete_success AGENT MESSAGE [NEXT_AGENT…]'
    return 2
  fi
  completion_report_print completed "$@"
)

complete_partial() (
  if [ "$#" -lt 2 ]; then
    completion_report_usage 'complete_partial AGENT MESSAGE [NEXT_AGENT…]'
    return 2
  fi
  completion_report_print partial "$@"
)

complete_blocked() (
  if [ "$#" -ne 2 ]; then
    completion_report_usage 'complete_blocked AGENT REASON'
    return 2
  fi
  completion_report_print blocked "$1" "Cannot proceed: $2"
)

completion_report_usage() {
  printf 'completion-report.sh: the arguments are missing or too many. Write: %s\n' "$1" >&2
}

# STATUS AGENT MESSAGE [NEXT_AGENT…]
completion_report_print() (
  status=$1 agent=$(completion_report_name "$2") message=$(completion_report_text "$3")
  shift 3
  rule='════════════════════════════════════════════════════════════'
  # The title holds nothing that was given: it stands outside the element, where nothing can be escaped.
  printf '\n%s\n  AGENT COMPLETION: %s\n%s\n\n' "$rule" "$status" "$rule"
  printf '<agent_completion>\n  <status>%s</status>\n' "$status"
  if [ -n "$agent" ]; then
    printf '  <agent>@%s</agent>\n' "$agent"
  fi
  printf '  <timestamp>%s</timestamp>\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  printf '  <summary>%s</summary>\n' "$message"
  if [ "$#" -gt 0 ]; then
    printf '  <next_steps>\n'
    for next in "$@"; do
      next=$(completion_report_name "$next")
      if [ -n "$next" ]; then
        printf '    <recommend>@%s</recommend>\n' "$next"
      fi
    done
    printf '  </next_steps>\n'
  fi
  printf '</agent_completion>\n\n%s\n' "$rule"
)

# An agent's name, escaped and without any @ before it.
completion_report_name() (
  name=$1
  while [ "${name#@}" != "$name" ]; do
    name=${name#@}
  done
  completion_report_text "$name"
)

# Text, escaped. Control characters, which XML cannot hold, become question marks; so do all bytes beyond ASCII in text
# that is not UTF-8, where there is an iconv to tell.
completion_report_text() (
  LC_ALL=C
  export LC_ALL
  beyond=''
  if command -v iconv >/dev/null 2>&1 && ! printf '%s' "$1" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1; then
    beyond='\200-\377'
  fi
  printf '%s\n' "$1" |
    tr "\\001-\\010\\013\\014\\016-\\037$beyond" '[?*]' |
    sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g'
)
