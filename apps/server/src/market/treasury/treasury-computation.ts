import type { contract, SourceRef } from '@liquidity-os/contract'
import { engineVersion } from '@liquidity-os/engine/version'
import { H } from '@liquidity-os/evidence'

export interface ComputedFrom {
  readonly request: unknown
  readonly sources?: readonly SourceRef[]
  readonly snapshot: contract.TreasurySnapshot | null
  readonly prices?: readonly contract.TreasuryPrice[]
  readonly seed?: string | null
  /** Further inputs that affect the values, such as the time if no chain was read. */
  readonly decidedBy?: Readonly<Record<string, unknown>>
  readonly gaps?: readonly contract.TreasuryGap[]
  readonly limitations?: readonly string[]
  readonly isAbstained?: boolean
}

/** All inputs that a reader needs to recompute figures. Equal inputs have equal hashes. */
export function treasuryComputation(from: ComputedFrom): contract.TreasuryComputation {
  const { request, snapshot, sources = [], prices = [], gaps = [], limitations = [] } = from
  const { seed = null, isAbstained = false, decidedBy } = from
  const inputs = {
    request,
    sources,
    seed,
    engineVersion,
    snapshotHash: snapshot?.snapshotHash ?? null,
    generations: prices.map(({ generation }) => generation),
    ...(decidedBy ? { decidedBy } : {}),
  }
  const isPartial = gaps.some(({ effect }) => effect !== 'FLAGGED')
  return {
    engine: 'liquidity-os/treasury',
    engineVersion,
    inputsHash: H('inputs/v1', inputs),
    sources: [...sources],
    snapshot,
    prices: [...prices],
    seed,
    completeness: isAbstained ? 'ABSTAINED' : isPartial ? 'PARTIAL' : 'COMPLETED',
    gaps: [...gaps],
    limitations: [...limitations],
    currentSpendabilityEstablished: false,
    executionAuthorityGranted: false,
    executionPerformed: false,
  }
}

/** First 64 bits of the input hash as a decimal: the default random seed. */
export const seedOfInputs = (inputs: ComputedFrom): string =>
  BigInt(treasuryComputation(inputs).inputsHash.slice(0, 18)).toString()

/** An engine seed has 32 bytes; the decimal occupies the last ones. */
export function seedBytes(seed: string): Uint8Array {
  const hex = BigInt(seed).toString(16).padStart(64, '0')
  return Uint8Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  )
}
