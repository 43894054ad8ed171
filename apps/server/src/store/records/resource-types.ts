import type { contract } from '@liquidity-os/contract'
import { kinds } from '@liquidity-os/contract/outline'

type Declared = (typeof contract)[keyof typeof contract]

/** Names of the kinds of versioned records, as the contract declares their families. */
export type ResourceType = Extract<
  Declared,
  { readonly type: string; readonly prefix: string; readonly moves: object }
>['type']

/** The prefix of the ids of each kind. */
export const idPrefixes = Object.fromEntries(
  kinds.map(({ type, prefix }) => [type, prefix]),
) as Readonly<Record<ResourceType, string>>

/**
 * IDs of one type as a half-open range: a prefix and 32 hex digits. `venue_…` must exclude
 * `venue_observation_…`, and `policy_…` must exclude `policy_draft_…`. An ID starts with its time,
 * whose first digit is no letter before the year 7500.
 */
export function idRange(type: ResourceType): { from: string; to: string } {
  return { from: `${idPrefixes[type]}_0`, to: `${idPrefixes[type]}_:` }
}

/** True if an id has the form of this kind. */
export function isIdOf(type: ResourceType, id: string): boolean {
  const prefix = `${idPrefixes[type]}_`
  return id.startsWith(prefix) && /^[0-9a-f]{32}$/.test(id.slice(prefix.length))
}
