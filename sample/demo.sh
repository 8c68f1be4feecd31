#!/bin/sh
# The main job on the sample vault: index it, search it by words and meaning, walk its links, read a note.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
vault="$here/vault"
export TRILITH_HOME="${TRILITH_HOME:-$here/../.home}"
say() { printf '\n\033[1m$ trilith %s\033[0m\n' "$*"; trilith "$@" --vault "$vault"; }

printf 'A bakery, in 47 Markdown notes: %s\n' "$vault"
trilith index "$vault"
say search "when does the oven show E-04 and the breaker is out" --limit 3
say search "insect infestation in the pantry" --mode semantic --limit 3
say search "Oven fault E-04" --mode graph --limit 5
cat <<END

Now leave a server running for your agents and programs (Ctrl-C ends it):

    .venv/bin/trilith serve sample/vault
    claude mcp add --transport http trilith http://127.0.0.1:8765/mcp/lithos

The same works on any folder of Markdown: .venv/bin/trilith serve ~/Notes
END
