#!/usr/bin/env bash
# Runs `puppetfn check` or `lint` in a job of GitHub Actions: annotations, a summary of the job and, on request, SARIF.
#
# COMMAND, ARGUMENTS and SARIF are inputs of action.yml.
set -euo pipefail

# Words and quotes are as in a shell, but nothing is expanded.
arguments=()
[[ -z $ARGUMENTS ]] || mapfile -t arguments < <(xargs -n 1 <<<"$ARGUMENTS")
status=0
puppetfn "$COMMAND" "${arguments[@]}" --format github || status=$?
# Wrong arguments: nothing was checked.
[[ $status -lt 2 ]] || exit "$status"

if [[ -n $SARIF ]]; then
  puppetfn "$COMMAND" "${arguments[@]}" --format sarif >"$SARIF" || true
fi

{
  echo "### puppetfn $COMMAND"
  echo
  statistics=$(puppetfn "$COMMAND" "${arguments[@]}" --statistics) || true
  printf '```text\n%s\n```\n' "${statistics:-no findings}"
} >>"$GITHUB_STEP_SUMMARY"
exit "$status"
