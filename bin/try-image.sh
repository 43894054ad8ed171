#!/usr/bin/env bash
# Builds the image of HEAD and runs it, without a Docker engine and without a registry of images. --help says more.
set -euo pipefail
cd "$(dirname "$0")/.."
# What the image may take beside the one that it begins with.
megabytes=230

help() {
  cat <<'HELP'
bin/try-image.sh [--keep FOLDER]

Builds deploy/Dockerfile from a clone of HEAD and runs what came out, on a Debian without a Docker engine and without a
registry of images:

  1. makes the image that the Dockerfile begins with, from Debian's packages, the Node that runs this and npm;
  2. builds the stages with podman, in a chroot;
  3. starts a private PostgreSQL, with the two logins of deploy/postgres/roles.sql, and migrates as its owner by the image;
  4. runs a node and a worker on a read-only file system but for /tmp, not as root, without capabilities, as the service's login;
  5. asks for the health of both, signs an owner in, writes, reads the console and the guide, and verifies the history;
  6. ends both by SIGTERM, which they must follow by themselves.

It prints sizes and times, and ends with another status than 0 where something of this does not hold. It needs root, two
gigabytes of disk, about four minutes of processor time, and
  apt-get install --no-install-recommends podman runc mmdebstrap postgresql curl
Nothing of it stays, but with --keep FOLDER the images do: the next run with it builds only what has changed.
  CONTAINERS_STORAGE_CONF=FOLDER/storage.conf podman images
HELP
}

folder=
case ${1:-} in
  '') ;;
  --help) help; exit ;;
  --keep) folder=${2:?a folder to keep images in} ;;
  *) help >&2; exit 2 ;;
esac
missing=()
for command in podman runc mmdebstrap curl; do command -v "$command" >/dev/null || missing+=("$command"); done
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing+=(postgresql)
[ ${#missing[@]} = 0 ] || {
  echo "Missing: ${missing[*]}. On Debian: apt-get install --no-install-recommends ${missing[*]}" >&2; exit 1; }
[ "$(id -u)" = 0 ] || { echo 'This makes file systems and mounts them: run it as root.' >&2; exit 1; }
export PATH="$PWD/node_modules/.bin:$PATH"

work=$(mktemp -d)
chmod 755 "$work"
images=${folder:-$work/images}
mkdir -p "$images"
images=$(cd "$images" && pwd)
# Apart from whatever else podman keeps on this machine.
export CONTAINERS_STORAGE_CONF=$images/storage.conf
printf '[storage]\ndriver = "overlay"\ngraphroot = "%s"\nrunroot = "%s"\n' "$images/layers" "$images/run" >"$CONTAINERS_STORAGE_CONF"
engine() { podman --runtime runc --cgroup-manager cgroupfs --events-backend file "$@"; }
node=liquidity-try-node-$$
worker=liquidity-try-worker-$$
clean() {
  engine rm --force --time 5 --ignore "$node" "$worker" >/dev/null 2>&1 || true
  [ ! -d "$work/postgres/data" ] || bin/private-postgres.sh stop "$work/postgres" || true
  umount "$images/layers/overlay" 2>/dev/null || true
  rm -rf "$work"
}
trap clean EXIT

fail() { echo "$1" >&2; exit 1; }
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
free_port() { node -e "const s=require('node:net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})"; }
# until 'what' SECONDS command…
until_true() {
  local what=$1 tries=$(($2 * 20))
  shift 2
  for _ in $(seq "$tries"); do ! "$@" >/dev/null 2>&1 || return 0; sleep 0.05; done
  fail "$what did not happen in $((tries / 20)) s."
}

base=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' deploy/Dockerfile | head -1)
release=$(sed -E 's/^node:[0-9]+-([a-z]+)-slim$/\1/' <<<"$base")
version=$(node --version)
[[ v${base#node:} == "${version%%.*}"-*-slim ]] || fail "The image begins with $base, this machine has Node $version."
if ! engine image exists "docker.io/library/$base"; then
  echo "== $base, from packages"
  npm install --global --silent --prefix "$work/npm" npm@11
  mkdir "$work/bin"
  cp "$(node -p process.execPath)" "$work/bin/node"
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,libstdc++6,libatomic1 \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='chroot "$1" useradd --uid 1000 --create-home node' \
    --customize-hook="copy-in $work/bin $work/npm/bin $work/npm/lib /usr/local" "$release" "$work/base.tar"
  engine import --quiet "$work/base.tar" "docker.io/library/$base" >/dev/null
fi

echo '== the stages of deploy/Dockerfile'
git clone -q --depth 1 "file://$PWD" "$work/clone"
image=liquidity-os:$(node -p "require('./package.json').version")
# Where this machine has its packages from, for npm in the stages that are thrown away.
printf 'registry=%s\n' "$(npm config get registry)" >"$work/npmrc"
volumes=(--volume "$work/npmrc:/root/.npmrc:ro")
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  echo 'cafile=/etc/npm-ca.crt' >>"$work/npmrc"
  volumes+=(--volume "$NODE_EXTRA_CA_CERTS:/etc/npm-ca.crt:ro")
fi
# This format alone keeps the health check.
engine build --format docker --isolation chroot --network host --pull=never --layers "${volumes[@]}" \
  --file "$work/clone/deploy/Dockerfile" --tag "$image" "$work/clone" >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
size() { echo $(($(engine image inspect --format '{{.Size}}' "$1") / 1000000)); }
ours=$(($(size "$image") - $(size "docker.io/library/$base")))
echo "$image: $(size "$image") MB, $ours MB beside $base"
[ "$ours" -le "$megabytes" ] || fail "It may take $megabytes MB."

# As compose.yaml and the chart run it. A limit that this machine does not let anybody raise is not raised.
hardened=(--network host --read-only --tmpfs /tmp:size=512m,mode=1777 --cap-drop all --security-opt no-new-privileges
  --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --no-healthcheck)
is=$(engine run --rm "${hardened[@]}" --entrypoint sh "$image" -c 'id -u; find /app ! -user root | head -3; touch /app/x 2>&1; grep CapEff /proc/self/status')
grep -qx 1000 <<<"$is" && grep -q 'Read-only file system' <<<"$is" && grep -qE 'CapEff:\s0+$' <<<"$is" && [ "$(wc -l <<<"$is")" = 3 ] || fail "$is"

echo '== a database as deploy/postgres has it'
admin=$(bin/private-postgres.sh start "$work/postgres")
query() { "$(ls -d /usr/lib/postgresql/*/bin | tail -1)/psql" -q -v ON_ERROR_STOP=1 "$@"; }
query -d "$admin" -v owner_password=one -v service_password=two -f deploy/postgres/roles.sql
at=${admin#*@}
at=${at%/*}
owner=postgres://liquidity_owner:one@$at/liquidity
port=$(free_port)
metrics=$(free_port)
url=http://127.0.0.1:$port
cat >"$work/env" <<ENV
BASE_URL=$url
SMTP_URL=smtp://127.0.0.1:2525
ACCESS_TOKEN_KEYS=a:$(head -c 32 /dev/urandom | base64)
SEALING_KEYS=a:$(head -c 32 /dev/urandom | base64)
DATABASE_URL=postgres://liquidity_service:two@$at/liquidity
HOST=127.0.0.1
WORKER=none
ENV
engine run --rm "${hardened[@]}" --env-file "$work/env" --env "DATABASE_URL=$owner" "$image" migrate | tail -1
query -d "$owner" -f deploy/postgres/grants.sql

echo '== a node and a worker'
start() {
  local name=$1 began
  shift
  began=$(milliseconds)
  engine run --detach --name "$name" "${hardened[@]}" --env-file "$work/env" "$@" >/dev/null
  echo "$began"
}
inside() { engine exec "$@"; }
trap 'status=$?; [ $status = 0 ] || for name in "$node" "$worker"; do engine logs "$name" >&2 2>&1 || true; done; clean' EXIT
began=$(start "$node" --env "PORT=$port" --env "METRICS_PORT=$(free_port)" "$image")
until_true 'That the node answers' 30 curl -sSf "$url/health/live"
live=$(($(milliseconds) - began))
until_true 'That the node is ready' 30 curl -sSf "$url/health/ready"
echo "live $live ms after it was started, ready after $(($(milliseconds) - began)) ms"
start "$worker" --env "METRICS_PORT=$metrics" "$image" worker >/dev/null
until_true 'That the worker answers' 30 curl -sSf "http://127.0.0.1:$metrics/metrics"
# Podman leaves its turns to systemd, which may not be there.
read -ra healthy < <(engine image inspect --format '{{range slice .HealthCheck.Test 1}}{{.}} {{end}}' "$image")
inside "$node" "${healthy[@]}" || fail 'The node is not healthy.'
inside "$worker" "${healthy[@]}" worker || fail 'The worker is not healthy.'
! inside "$worker" "${healthy[@]}" || fail 'A worker that serves nothing is healthy as a node.'

created=$(inside "$node" node /app/bin/liquidity.js org create 'A first organization' --owner owner@example.org --json)
organization=$(node -p 'JSON.parse(process.argv[1]).organizationId' "$created")
link=$(inside "$node" node /app/bin/liquidity.js session link owner@example.org --json)
token=$(node -p 'new URL(JSON.parse(process.argv[1]).link).hash.slice(1)' "$link")
cookie=$(curl -sSf -D - -o /dev/null -H 'content-type: application/json' -d "{\"token\":\"$token\"}" "$url/auth/email-links/redeem" |
  sed -n 's/^set-cookie: \([^;]*session=[^;]*\);.*/\1/Ip')
curl -sS --fail-with-body -X POST "$url/api/liquidity-studio/v2/platform-projects" -H "cookie: $cookie" -H "origin: $url" \
  -H "x-service-organization-id: $organization" -H 'idempotency-key: first-project' -H 'content-type: application/json' -d @- <<'BODY' >"$work/saved" ||
{"payload":{"chainId":1,"address":"0x1f9840a85d5af5bf1d1762f925bdaddc4201f984","label":"A token"},"reason":"To try the image"}
BODY
  { cat "$work/saved" >&2; exit 1; }
for page in / /docs/ /docs/api/; do curl -sSf "$url$page" >/dev/null; done
inside "$node" node /app/bin/liquidity.js verify-history

for name in "$worker" "$node"; do
  began=$(milliseconds)
  engine stop --time 60 "$name" >/dev/null
  status=$(engine inspect --format '{{.State.ExitCode}}' "$name")
  [ "$status" = 0 ] || fail "$name ended with status $status."
  echo "${name%-*} ended $(($(milliseconds) - began)) ms after SIGTERM"
done
times >"$work/times"
echo "processor time of this machine's user and system: $(tail -1 "$work/times")"
