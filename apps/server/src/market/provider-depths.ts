import type { ObservationRecord } from './completed-observations.ts'
import type { OwnerShare } from './depth-by-owner.ts'

/** Assumption: an owner that holds positions for many counts as one provider. */
export const managersAsOne = 'POSITION_MANAGER_AS_ONE_PROVIDER'

/**
 * Liquidity providers in an observation. Null if unknown, or if one provider represents many, who
 * would look like a single provider.
 */
export function readProviders({ payload }: ObservationRecord): readonly OwnerShare[] | null {
  const { metrics, evidence } = payload
  if (evidence.assumptions.some(({ code }) => code === managersAsOne)) return null
  return metrics.providers ?? null
}

export interface ProvidedDepth {
  readonly depth: bigint
  readonly providers: readonly OwnerShare[]
}

/**
 * Depth by provider across venues; an address is the same provider everywhere. The unlisted
 * remainder of a venue counts as one more provider, which never understates concentration.
 */
export function depthsByProvider(venues: readonly ProvidedDepth[]): bigint[] {
  const depths = new Map<string, bigint>()
  for (const [index, { depth, providers }] of venues.entries()) {
    let rest = depth
    for (const { address, depthSharePips } of providers) {
      const part = (depth * BigInt(depthSharePips)) / 1_000_000n
      rest -= part
      depths.set(address, (depths.get(address) ?? 0n) + part)
    }
    // Without an unlisted share, the rest is atoms that the parts were rounded down by.
    const listedPips = providers.reduce((sum, { depthSharePips }) => sum + depthSharePips, 0)
    if (rest > 0n && listedPips < 1_000_000) depths.set(`rest of ${index}`, rest)
  }
  return [...depths.values()]
}
