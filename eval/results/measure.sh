#!/usr/bin/env bash
# Measures what docs/evaluation.md shows of answers, and writes its tables:
#   bash eval/results/measure.sh DIR      DIR has the sets that are not part of the repository
# Takes some ten minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=${1:?usage: measure.sh DIR}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sets=(--data "$data" --data "$data/facts" --data "$data/public" --data eval/sets --data eval/sets/facts --data eval/sets/unseen --parallel 2)
go run ./eval/retrieval --json "${sets[@]}" >"$work/retrieval"
go run ./eval/retrieval --json --baseline "${sets[@]}" >"$work/baseline"

judged=(--sets eval/sets/judgement)
for one in rivals subjects said talk everyday agent agent_talk traps opposites2 private work mixed names before aside named then session replies; do
	judged+=(--sets "eval/sets/judgement/$one")
done
go run ./eval/judgement --json --data "$data/judgement" "${judged[@]}" >"$work/judgement"

go run ./eval/tables --retrieval "$work/retrieval" --baseline "$work/baseline" --judgement "$work/judgement"
