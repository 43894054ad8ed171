#!/usr/bin/env bash
# Makes what a release consists of: the source of HEAD, its bill of materials, and the hashes of both. Before, the registry's
# signatures of every package are checked, and known weaknesses of those that production installs end it.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -z "$(git status --porcelain)" ] || { echo 'There are changes that are not committed.' >&2; exit 1; }
folder=${1:?The folder to write to, for example: bin/release.sh release}
mkdir -p "$folder"
version=$(node -p "require('./package.json').version")

npm ci
npm audit signatures
npm audit --omit dev --workspace apps/server --audit-level moderate
npm sbom --sbom-format cyclonedx --sbom-type application --omit dev --workspace apps/server >"$folder/bom.cdx.json"
git archive --format tar.gz --prefix "liquidity-os-$version/" --output "$folder/liquidity-os-$version.tar.gz" HEAD
(cd "$folder" && sha256sum bom.cdx.json "liquidity-os-$version.tar.gz" | tee SHA256SUMS)
