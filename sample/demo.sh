#!/bin/sh
# The main job on the sample vault: index it, search it by words and meaning, walk its links, read a note.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
vault="$here/vault"
export TRILITH_HOME="${TRILITH_HOME:-$here/../.home}"
if [ -t 1 ]; then bold='\033[1m' plain='\033[0m'; else bold='' plain=''; fi
ask() { query=$1; shift; printf "\n$bold\$ trilith search \"%s\" %s$plain\n" "$query" "$*"; trilith search "$query" "$@" --vault "$vault"; }

printf 'A bakery, in a folder of Markdown notes: %s\n' "$vault"
trilith index "$vault"
ask "when does the oven show E-04 and the breaker is out" --limit 3
ask "insect infestation in the pantry" --mode semantic --limit 3
ask "Oven fault E-04" --mode graph --limit 5
cat <<END

The first score is the probability that an answer is there, the second the likeness of meaning, the third 1 / links away.

Now leave a server running for your agents and programs (Ctrl-C ends it):

    make serve
    claude mcp add --transport http trilith http://127.0.0.1:8765/mcp/lithos

The same works on any folder of Markdown: .venv/bin/trilith serve ~/Notes
END
