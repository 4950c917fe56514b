#!/bin/bash
# Plays the engine of this checkout against that of the commit $BASE; action.yml says what the variables mean.
set -euo pipefail

git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --depth 1 origin "$BASE"
commit=$(git rev-parse --quiet --verify "$BASE^{commit}" || git rev-parse FETCH_HEAD)
temporary=$(mktemp -d)
git worktree add --quiet --detach "$temporary/checkout" "$commit"
trap 'git worktree remove --force "$temporary/checkout"; rm -rf "$temporary"' EXIT

# Each engine is built, and starts, at the top of its own checkout.
build() {
    (cd "$2" && eval "$BUILD")
    printf '#!/bin/bash\ncd %q && exec %s\n' "$2" "$ENGINE" > "$temporary/$1"
    chmod +x "$temporary/$1"
}
build new "$PWD"
build base "$temporary/checkout"

status=0
read -ra words <<< "$LIMIT --games $GAMES --sprt $SPRT $OPTIONS"
boomslang match "$temporary/new" "$temporary/base" "${words[@]}" > "$temporary/table" || status=$?
tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}" <<END
### Match of $(git rev-parse --short HEAD) against ${commit:0:7}
\`\`\`
$(cat "$temporary/table")
\`\`\`
END
exit $status
