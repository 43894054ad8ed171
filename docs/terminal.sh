# What the examples of the documentation use. Source it in the folder of the repository, beside a running demo:
#   . docs/terminal.sh
# `npm ci` installs a Node that runs TypeScript if the machine's is older than 24.
PATH=$PWD/node_modules/.bin:$PATH
# The demo has written its addresses and credentials to data/demo.json.
demo() { pick "answer.$1" < "${DATA_DIR:-data}/demo.json"; }

eval "$(node -p "const { baseUrl, organizationId, apiKey, session } = JSON.parse(require('node:fs').readFileSync('${DATA_DIR:-data}/demo.json', 'utf8'))
  Object.entries({ BASE_URL: baseUrl, ORGANIZATION: organizationId, API_KEY: apiKey, SESSION: session.cookieName + '=' + session.cookie, ORIGIN: session.origin })
    .map(([name, value]) => name + '=' + JSON.stringify(value)).join('\n')")"
API=$BASE_URL/api/liquidity-studio/v2
WORK=$(mktemp -d)

# A request of a program: an API key.
as_program() {
  curl -sS -H "authorization: Bearer $API_KEY" -H "x-service-organization-id: $ORGANIZATION" \
    -H 'content-type: application/json' "$@"
}

# A request of a person: the session cookie of a browser, and the origin that it sends along.
as_me() {
  curl -sS -b "$SESSION" -H "origin: $ORIGIN" -H "x-service-organization-id: $ORGANIZATION" \
    -H 'content-type: application/json' "$@"
}

# A part of the JSON on standard input, by an expression over its members, such as: pick data.id
pick() {
  node -p "const answer = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
    const { data, meta, error } = answer, found = $1
    typeof found === 'object' ? JSON.stringify(found, null, 2) : found"
}

# Some operations want a sign-in of the last ten minutes, and the demo's is as old as its file.
sign_in() {
  local link
  link=$(npx liquidity session link demo@example.org --json | pick answer.link)
  curl -sSf -c "$WORK/session" -H 'content-type: application/json' -d "{\"token\":\"${link#*#}\"}" "$BASE_URL/auth/email-links/redeem" > "$WORK/signed-in.json"
  SESSION=$WORK/session
}
[ -z "$(find "${DATA_DIR:-data}/demo.json" -mmin +4)" ] || sign_in
