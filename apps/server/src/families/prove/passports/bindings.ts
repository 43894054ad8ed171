import type { contract } from '@liquidity-os/contract'
import { hexToBytes, merkleRoot } from '@liquidity-os/evidence'
import { signedTime } from './signed-time.ts'
import type { PassportSources } from './sources.ts'

type Bindings = contract.LiquidityPassportSourceBindings
type Versioned = { readonly id: string; readonly resourceVersion: string }

const refOf = ({ id, resourceVersion }: Versioned) => ({ id, resourceVersion })

/** The exact source versions of the claims; null while a required one is missing. */
export function bindingsOf(sources: PassportSources): Bindings | null {
  const { vault, score, observations, policy, reconciliation, signer, reports, ledger } = sources
  const bound = observations.flatMap((one) => one ?? [])
  const named = reports.flatMap(({ hash, source }) => (source ? [{ hash, source }] : []))
  if (!score || !signer || bound.length !== observations.length || named.length === 0) return null
  return {
    bindingsVersion: 'liquidity-passport-sources-v1',
    vault: refOf(vault),
    controlEpoch: vault.payload.controlEpoch,
    marketQualityScore: refOf(score),
    policy: policy && refOf(policy),
    reconciliation: reconciliation && refOf(reconciliation),
    venueObservations: bound.map(refOf),
    mandates: sources.mandates.map(refOf),
    receipts: countedOf(sources.receipts),
    anomalies: countedOf(sources.incidents),
    ledgerEntries: countedOf(ledger.entries),
    reports: named,
    signerProvider: refOf(signer),
    adapterReleaseHash: policy?.payload.releaseHash ?? null,
    engineVersion: score.payload.evidence.engineVersion,
    blocks: blocksOf(sources),
    keys: sources.keys,
  }
}

function blocksOf({ vault, observations }: PassportSources): Bindings['blocks'] {
  const all = [
    vault.payload.snapshot,
    ...observations.flatMap((one) => one?.payload.state.at ?? []),
  ]
  const distinct = new Map(all.map((block) => [`${block.chainId}/${block.hash}`, block]))
  return [...distinct.values()].map(({ chainId, number, hash, timestamp }) => ({
    chainId,
    number,
    hash,
    timestamp: signedTime(timestamp),
  }))
}

/** Their number, and the RFC 6962 root over their 32-byte hashes. */
export function countedOf(records: readonly { readonly artifactHash: string }[]) {
  const leaves = records.map(({ artifactHash }) => hexToBytes(artifactHash.slice(2)))
  return { count: records.length, root: merkleRoot(leaves) }
}
