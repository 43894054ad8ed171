import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { tokenKey } from '../../../market/treasury/asset-keys.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { controlOf } from '../../plan/treasury-entries/api.ts'
import { type LiveCustody, liveCustody } from '../treasury-custody/api.ts'

type Holding = contract.TreasuryHolding
export type Entry = VersionedRecord<Holding>
type Program = VersionedRecord<{
  status?: string
  request: { venues: { venue: { id: string } }[] }
}>

/** Ledger entries behind claims on own and external holdings, and venues with rented liquidity. */
export interface BoundLedger {
  /** Entries bound by the passport, sorted by `createdAt` and id. */
  readonly entries: readonly Entry[]
  /**
   * Safe entries proven by live custody evidence. Self-reported entries are bound, but not claimed.
   */
  readonly owned: readonly Entry[]
  /** Valid custody evidence of the Safe. */
  readonly custody: readonly LiveCustody[]
  readonly external: readonly Entry[]
  /** Venues whose liquidity an ACTIVE program pays for. */
  readonly rentedVenueIds: readonly string[]
  readonly expects: readonly { id: string; sequence: number }[]
}

const liquidityPurposes = ['LIQUIDITY_PROGRAM', 'LIQUIDITY_BACKSTOP']
const externalKinds = ['MARKET_MAKER_ACCOUNT', 'CUSTODIAN_ACCOUNT']

export async function readLedger(
  records: TenantRecords,
  { chainId, safeAddress }: contract.QualifiedVault,
  venues: readonly VenueRecord[],
): Promise<BoundLedger> {
  const [found, programs] = await Promise.all([
    records.find<contract.TreasuryBucket>('TreasuryBucket', {
      status: ['ACTIVE'],
      order: 'OLDEST',
    }),
    records.find<Program['payload']>('IncentiveProgram', { status: ['ACTIVE'] }),
  ])
  const holdings = found.filter((entry): entry is Entry => entry.payload.entryKind === 'ASSET')
  const safeKey = `eip155:${chainId}:${safeAddress.toLowerCase()}`
  const inSafe = liquidityIn(holdings, safeKey)
  const custody = await liveCustody(records, safeKey)
  const owned = provenOf(inSafe, custody)
  const external = holdings.filter(({ payload }) => externalKinds.includes(payload.container.kind))
  const entries = [...inSafe, ...external].toSorted((a, b) =>
    `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1,
  )
  const rented = new Set(
    programs.flatMap(({ payload }) => payload.request.venues.map(({ venue }) => venue.id)),
  )
  return {
    entries,
    owned,
    custody,
    external,
    rentedVenueIds: venues.map(({ id }) => id).filter((id) => rented.has(id)),
    expects: entries.map(({ id, sequence }) => ({ id, sequence })),
  }
}

/** Holdings of an account that are reserved for liquidity. */
export const liquidityIn = (holdings: readonly Entry[], containerKey: string): Entry[] =>
  holdings.filter(
    ({ payload }) =>
      payload.containerKey === containerKey &&
      (liquidityPurposes.includes(payload.purpose) || payload.assetClass === 'LP_CLAIM'),
  )

/** Entries proven by a live account signature. */
export const provenOf = (holdings: readonly Entry[], custody: readonly LiveCustody[]): Entry[] =>
  holdings.filter(({ payload }) => controlOf(payload, custody).status === 'PROVEN')

/** A price, quote atoms per base atom. */
export interface Mid {
  readonly num: bigint
  readonly den: bigint
}

/**
 * Value of entries in quote atoms, rounded down per entry. Base counts at the mid price, claims by
 * their legs, lent tokens by amount lent.
 *
 * @returns null if an entry contains other tokens
 */
export function worthOf(
  entries: readonly Entry[],
  pair: contract.QualifiedVault['pair'],
  mid: Mid,
): bigint | null {
  const [base, quote] = [tokenKey(pair.chainId, pair.base), quoteKeyOf(pair)]
  let sum = 0n
  for (const { payload } of entries) {
    const legs = legsOf(payload)
    if (legs === null) return null
    let [baseAtoms, quoteAtoms] = [0n, 0n]
    for (const { asset, quantity } of legs) {
      if (asset === base) baseAtoms += BigInt(quantity)
      else if (asset === quote) quoteAtoms += BigInt(quantity)
      else if (BigInt(quantity) > 0n) return null
    }
    sum += quoteAtoms + (baseAtoms * mid.num) / mid.den
  }
  return sum
}

/**
 * True if a claim has both tokens of the pair. A single-token deposit, as in a lending market, is
 * not liquidity of the pair.
 */
export function isOfMarket(
  { payload: { assetClass, observed } }: Entry,
  pair: contract.QualifiedVault['pair'],
): boolean {
  const assets = observed?.legs.map(({ asset }) => asset) ?? []
  const isHeld = (token: string) => assets.includes(tokenKey(pair.chainId, token))
  return assetClass === 'LP_CLAIM' && isHeld(pair.base) && isHeld(pair.quote)
}

/** Quote atoms in claims on the market of the pair. Their base tokens, other claims and idle balances are no owned liquidity. */
export function quoteLegsOf(
  entries: readonly Entry[],
  pair: contract.QualifiedVault['pair'],
): bigint {
  const key = quoteKeyOf(pair)
  const legs = entries.flatMap((entry) =>
    isOfMarket(entry, pair) ? (entry.payload.observed?.legs ?? []) : [],
  )
  return legs.reduce((sum, leg) => (leg.asset === key ? sum + BigInt(leg.quantity) : sum), 0n)
}

/** Atoms of the tokens of the pair in an entry; other tokens are left out. */
export function pairAtomsOf(
  { payload }: Entry,
  pair: contract.QualifiedVault['pair'],
): { base: bigint; quote: bigint } {
  const sumOf = (key: string) =>
    (legsOf(payload) ?? []).reduce(
      (sum, { asset, quantity }) => (asset === key ? sum + BigInt(quantity) : sum),
      0n,
    )
  return { base: sumOf(tokenKey(pair.chainId, pair.base)), quote: sumOf(quoteKeyOf(pair)) }
}

/** Base atoms of the entries that are no liquidity claims on the pair. */
export const idleBase = (
  entries: readonly Entry[],
  pair: contract.QualifiedVault['pair'],
): bigint =>
  entries
    .filter((entry) => !isOfMarket(entry, pair))
    .reduce((sum, entry) => sum + pairAtomsOf(entry, pair).base, 0n)

/** Key of the quote token of a pair. */
export const quoteKeyOf = ({ chainId, quote }: contract.QualifiedVault['pair']): string =>
  tokenKey(chainId, quote)

function legsOf({ asset, loan, observed }: Holding): { asset: string; quantity: string }[] | null {
  if (loan) return [{ asset, quantity: loan.lentTokens }]
  if (observed === null) return null
  return observed.legs.length > 0 ? [...observed.legs] : [{ asset, quantity: observed.quantity }]
}
