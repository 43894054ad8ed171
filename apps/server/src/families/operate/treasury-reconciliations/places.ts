import type { contract, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { required } from '../../../required.ts'
import type { CustodyStatement } from './custody-statements.ts'

type Holding = contract.TreasuryHolding
export type HoldingRecord = VersionedRecord<Holding>

export interface Place {
  readonly container: string
  readonly assetKey: string
  readonly entries: readonly HoldingRecord[]
  readonly statements: readonly CustodyStatement[]
  /** True if a mapping of the request assigned an entry to this place. */
  readonly isMapped: boolean
}

type Mapping = NonNullable<contract.TreasuryReconciliationPreviewRequest['mappings']>[number]

/** The container of a holding. Only obligations lack one. */
const containerOf = ({ id, payload }: HoldingRecord) =>
  required(payload.containerKey, `container of ${id}`)

const keyOf = (container: string, assetKey: string) => `${container}|${assetKey}`

/**
 * Places to compare: those of ledger entries and statements, and all ledger assets in every
 * container on their chain. This finds unrecorded balances. A place is always compared as a whole.
 *
 * @param all all active holdings of the organization; their assets are searched
 */
export function placesOf(
  scope: readonly HoldingRecord[],
  statements: readonly CustodyStatement[],
  mappings: readonly Mapping[],
  all: readonly HoldingRecord[],
): Place[] {
  const places = new Map<string, Place>()
  const put = (container: string, assetKey: string, change: (before: Place) => Place) => {
    const key = keyOf(container, assetKey)
    const before = places.get(key) ?? {
      container,
      assetKey,
      entries: [],
      statements: [],
      isMapped: false,
    }
    places.set(key, change(before))
  }
  const mapped = new Map(
    mappings.flatMap((mapping) => mapping.entryIds.map((id) => [id, mapping] as const)),
  )
  for (const entry of scope) {
    const mapping = mapped.get(entry.id)
    const container = mapping?.container ?? containerOf(entry)
    put(container, mapping?.assetKey ?? entry.payload.asset, (before) => ({
      ...before,
      entries: [...before.entries, entry],
      isMapped: before.isMapped || mapping !== undefined,
    }))
  }
  for (const statement of statements) {
    put(statement.container, statement.assetKey, (before) => ({
      ...before,
      statements: [...before.statements, statement],
    }))
  }
  // Other entries for the same balance are included, even if the request names only one.
  const named = new Set(scope.map(({ id }) => id))
  for (const entry of all) {
    const { asset } = entry.payload
    const containerKey = containerOf(entry)
    if (named.has(entry.id) || !places.has(keyOf(containerKey, asset))) continue
    put(containerKey, asset, (before) => ({ ...before, entries: [...before.entries, entry] }))
  }
  const assets = new Set(all.map(({ payload: { asset } }) => asset))
  const containers = new Set([...places.values()].map(({ container }) => container))
  for (const container of containers) {
    for (const asset of assets)
      if (isLookedFor(container, asset)) put(container, asset, (one) => one)
  }
  return [...places.values()].sort((a, b) =>
    keyOf(a.container, a.assetKey) < keyOf(b.container, b.assetKey) ? -1 : 1,
  )
}

/**
 * Tokens and coins of the same chain. NFT positions are excluded; their owner is in the ledger
 * entry.
 */
function isLookedFor(container: string, asset: string): boolean {
  const chain = /^(eip155:[0-9]+):0x/.exec(container)?.[1]
  return chain !== undefined && asset.startsWith(`${chain}/`) && !asset.includes('/erc721:')
}

export function sourcesOf({ entries, statements }: Place): SourceRef[] {
  const ofEntries = entries.map(({ resourceType, id, resourceVersion }) => ({
    resourceType,
    id,
    resourceVersion,
  }))
  return [...ofEntries, ...statements.map(({ source }) => source)]
}
