#!/usr/bin/env bash
# Runs `puppetfn diff` in a job of GitHub Actions: the report is the summary of the job and, on request, a comment on the pull request.
#
# ARGUMENTS, BASE, COMMENT and NUMBER are inputs of action.yml and the number of the pull request.
set -euo pipefail

# Words and quotes are as in a shell, but nothing is expanded.
arguments=()
[[ -z $ARGUMENTS ]] || mapfile -t arguments < <(xargs -n 1 <<<"$ARGUMENTS")
report=$RUNNER_TEMP/puppetfn-diff.md
status=0
puppetfn diff "$BASE" HEAD "${arguments[@]}" --format markdown --out "$report" || status=$?
# 2 means differences, which are no failure.
[[ $status == 0 || $status == 2 ]] || exit "$status"
cat "$report" >>"$GITHUB_STEP_SUMMARY"

if [[ $COMMENT == true && -n $NUMBER ]]; then
  comments=repos/$GITHUB_REPOSITORY/issues
  { echo "<!-- puppetfn diff -->"; cat "$report"; } >"$report.comment"
  # The comment of an earlier run is replaced.
  earlier=$(gh api --paginate "$comments/$NUMBER/comments" --jq '.[] | select(.body | startswith("<!-- puppetfn diff -->")) | .id' | head -n 1)
  if [[ -n $earlier ]]; then
    gh api --silent --method PATCH "$comments/comments/$earlier" --field "body=@$report.comment"
  else
    gh api --silent --method POST "$comments/$NUMBER/comments" --field "body=@$report.comment"
  fi
fi
