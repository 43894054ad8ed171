import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { type Address, getAddress, isAddressEqual } from 'viem'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

export type Entry = VersionedRecord<contract.TreasuryBucket>
type Pair = contract.QualifiedVault['pair']

/** A ledger holding that defines a vault. */
export interface LiquidityHolding {
  readonly entry: Entry
  readonly chainId: number
  readonly safe: Address
  /** The token that is held. */
  readonly asset: Address
}

/** A Safe and a pair, with the data that define a vault. */
export interface VaultBinding {
  readonly chainId: number
  readonly safe: Address
  readonly pair: Pair
  readonly entries: readonly Entry[]
  readonly venues: readonly VenueRecord[]
}

const purposes = ['LIQUIDITY_PROGRAM', 'LIQUIDITY_BACKSTOP']

/** True if an entry declares that a Safe holds a token for liquidity. */
export function isLiquidityHolding(payload: unknown): boolean {
  return holdingOf(payload as contract.TreasuryBucket) !== null
}

function holdingOf(payload: contract.TreasuryBucket): Omit<LiquidityHolding, 'entry'> | null {
  if (payload.entryKind !== 'ASSET' || !purposes.includes(payload.purpose)) return null
  const { container } = payload
  if (container.kind !== 'SAFE') return null
  const asset = namedAsset(payload.asset)
  if (asset.kind !== 'TOKEN') return null
  const { chainId } = container
  return { chainId, safe: getAddress(container.address), asset: getAddress(asset.address) }
}

/** Active holdings that define vaults, oldest first. */
export async function liquidityHoldings(records: TenantRecords): Promise<LiquidityHolding[]> {
  const entries = await records.find<contract.TreasuryBucket>('TreasuryBucket', {
    status: ['ACTIVE'],
    order: 'OLDEST',
  })
  return entries.flatMap((entry) => {
    const holding = holdingOf(entry.payload)
    return holding ? [{ entry, ...holding }] : []
  })
}

/** All current Safe and pair combinations that are vaults. */
export async function vaultBindings(records: TenantRecords): Promise<VaultBinding[]> {
  const [holdings, venues] = await Promise.all([
    liquidityHoldings(records),
    records.find<VenueRecord['payload']>('VenueProfile', {
      status: ['VALIDATED'],
      order: 'OLDEST',
    }),
  ])
  const found = new Map<string, { holdings: LiquidityHolding[]; venues: VenueRecord[] }>()
  for (const holding of holdings) {
    for (const venue of venues.filter((one) => isTradedAt(holding, one.payload.pair))) {
      const { base, quote } = venue.payload.pair
      const key = [holding.chainId, holding.safe, base, quote].join('|')
      const known = found.get(key) ?? { holdings: [], venues: [] }
      if (!known.holdings.includes(holding)) known.holdings.push(holding)
      if (!known.venues.includes(venue)) known.venues.push(venue)
      found.set(key, known)
    }
  }
  return [...found.values()].flatMap(({ holdings: [first, ...rest], venues: traded }) => {
    const [venue] = traded
    if (!first || !venue) return []
    const { chainId, safe } = first
    const entries = [first, ...rest].map(({ entry }) => entry)
    return [{ chainId, safe, pair: venue.payload.pair, entries, venues: traded }]
  })
}

const isTradedAt = ({ chainId, asset }: LiquidityHolding, pair: Pair): boolean =>
  pair.chainId === chainId &&
  [pair.base, pair.quote].some((token) => isAddressEqual(token as Address, asset))
