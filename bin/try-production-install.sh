#!/usr/bin/env bash
# Installs what production needs from a clone of HEAD, and starts it: neither the tests nor their packages are there.
set -euo pipefail
cd "$(dirname "$0")/.."
megabytes=300
export PATH="$PWD/node_modules/.bin:$PATH"
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$folder"' EXIT

git clone -q --depth 1 "file://$PWD" "$folder/clone"
cd "$folder/clone"
npm ci --omit=dev --workspace apps/server
size=$(du -smc node_modules apps/*/node_modules | tail -1 | cut -f 1)
echo "$size MB"
[ "$size" -le "$megabytes" ] || { echo "A production install may take $megabytes MB." >&2; exit 1; }

export DATA_DIR=$folder/data NODE_COMPILE_CACHE=$folder/compiled PORT=0
node bin/liquidity.js serve >"$folder/log" 2>&1 &
server=$!
for _ in $(seq 60); do
  url=$(sed -n 's/.*listening on //p' "$folder/log")
  [ -z "$url" ] || break
  kill -0 "$server" || { cat "$folder/log" >&2; exit 1; }
  sleep 0.5
done
curl -sSf "$url/health/ready"
curl -sSf "$url/docs/" >/dev/null
node bin/liquidity.js org create 'A first organization' --owner owner@example.org
node bin/liquidity.js verify-history
# Draws, signs and computes in threads, without a server.
node bin/liquidity.js study datasets/v3-ens-weth-from-init --spec docs/examples/launch.json >"$folder/study"
tail -1 "$folder/study"
