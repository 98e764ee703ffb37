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
# In a run of Augment Orchestrator (AUGMENT_TOKEN is set and augment-cli is found), the report is told to the host as well.
# Whatever comes of that, it is printed once and the function succeeds. Everywhere else nothing but a shell is needed.
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
  report=$(completion_report_element "$@")
  rule='════════════════════════════════════════════════════════════'
  # The title holds nothing that was given: it stands outside the element, where nothing can be escaped.
  printf '\n%s\n  AGENT COMPLETION: %s\n%s\n\n%s\n\n%s\n' "$rule" "$1" "$rule" "$report" "$rule"
  completion_report_tell "$report" || :
)

# Tells the host what was printed. Its output is not the report's.
completion_report_tell() (
  if [ -n "${AUGMENT_TOKEN:-}" ] && command -v augment-cli >/dev/null 2>&1; then
    printf '%s\n' "$1" | augment-cli completion tell - >/dev/null
  fi
)

# STATUS AGENT MESSAGE [NEXT_AGENT…]
completion_report_element() (
  status=$1 agent=$(completion_report_name "$2") message=$(completion_report_text "$3")
  shift 3
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
  printf '</agent_completion>\n'
)

# An agent's name, escaped and without any @ before it.
completion_report_name() (
  name=$1
  while [ "${name#@}" != "$name" ]; do
    name=${name#@}
  done
  completion_report_text "$name"
)

# Text, escaped. Characters that XML cannot hold (the controls, U+FFFE and U+FFFF) become question marks; so do all bytes
# beyond ASCII in text that is not UTF-8.
completion_report_text() (
  LC_ALL=C
  export LC_ALL
  beyond=''
  if ! completion_report_is_utf8 "$1"; then
    beyond='\200-\377'
  fi
  # The one question mark stands for all that are wanted: every tr goes on with the last character.
  printf '%s\n' "$1" |
    tr "\\001-\\010\\013\\014\\016-\\037$beyond" '?' |
    sed -e "s/$(printf '\357\277[\276\277]')/?/g" \
      -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g'
)

# Whether nothing beyond ASCII is left of a text once its characters of two, three and four bytes are taken out. Each
# leaves a blank, so that what stood around it makes no new one.
completion_report_is_utf8() (
  more=$(printf '[\200-\277]')
  left=$(
    printf '%s\n' "$1" |
      sed -e "s/$(printf '\360[\220-\277]')$more$more/ /g" \
        -e "s/$(printf '[\361-\363]')$more$more$more/ /g" \
        -e "s/$(printf '\364[\200-\217]')$more$more/ /g" \
        -e "s/$(printf '\340[\240-\277]')$more/ /g" \
        -e "s/$(printf '\355[\200-\237]')$more/ /g" \
        -e "s/$(printf '[\341-\354\356\357]')$more$more/ /g" \
        -e "s/$(printf '[\302-\337]')$more/ /g" |
      tr -d '\001-\177'
  )
  [ -z "$left" ]
)
