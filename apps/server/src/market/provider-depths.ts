import type { ObservationRecord } from './completed-observations.ts'
import type { OwnerShare } from './depth-by-owner.ts'

/** The assumption that an owner of positions, which holds them for many, counts as one provider. */
export const managersAsOne = 'POSITION_MANAGER_AS_ONE_PROVIDER'

/**
 * The providers that an observation tells, or null: where it does not know them, and where one of them stands for many, who
 * would look like a single one.
 */
export function toldProviders({ payload }: ObservationRecord): readonly OwnerShare[] | null {
  const { metrics, evidence } = payload
  if (evidence.assumptions.some(({ code }) => code === managersAsOne)) return null
  return metrics.providers ?? null
}

/** What is known of the depth of one venue and of who provides it. */
export interface ProvidedDepth {
  readonly depth: bigint
  readonly providers: readonly OwnerShare[]
}

/**
 * Depth by provider over several venues; one address is one provider everywhere. What is left beside the largest of a
 * venue counts as one more, which never makes the market look less concentrated than it is.
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
    if (rest > 0n) depths.set(`rest of ${index}`, rest)
  }
  return [...depths.values()]
}
