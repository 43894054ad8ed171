import type { contract, SourceRef } from '@liquidity-os/contract'
import type { MarkedAsset } from '@liquidity-os/engine/stress'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { valueAt } from '../../../market/prices/price-of-asset.ts'
import { assetsOf } from '../../../market/treasury/assets-of.ts'
import type { PinnedSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { dayMilliseconds } from '../../../units.ts'
import { activeEntries } from '../../plan/treasury-entries/api.ts'
import {
  type Entry,
  evidenceBehind,
  type KnownAsset,
  knownAssetsOf,
  type Opening,
  openingBalances,
  refOf,
} from '../../plan/treasury-projections/api.ts'
import { currentSources } from '../../sources.ts'
import { nativeOf } from './native-coin.ts'
import { type Flows, flowKeys, readFlows } from './read-flows.ts'
import { refuse } from './refuse.ts'
import { tierNumber } from './tier-number.ts'

type Input = contract.TreasuryStressInput
type Gap = contract.TreasuryGap
type Set = contract.TreasuryAssumptionSet

/** Some atoms of an asset in one place, free or restricted alike. */
export interface HeldLot {
  readonly entryId: string
  readonly assetKey: string
  readonly tier: contract.TreasuryTier
  readonly isDirect: boolean
  readonly isQuote: boolean
  readonly container: string
  readonly control: contract.ControlStatus
  readonly quantity: bigint
  /** Days until it is unlocked: 0 if unlocked, null without a known end. */
  readonly lockedDays: number | null
  readonly priceX36: string | null
}

export interface Portfolio {
  readonly holdings: readonly HeldLot[]
  readonly containers: readonly string[]
  readonly venueIds: ReadonlySet<string>
  readonly flows: Flows
}

export interface ReadPortfolio extends Omit<Portfolio, 'venueIds'> {
  readonly assets: readonly KnownAsset[]
  /** Assets of obligations and leg factors that are not held. */
  readonly factors: readonly KnownAsset[]
  readonly set: Set | null
  /** Milliseconds since 1970. */
  readonly at: number
  readonly snapshot: PinnedSnapshot | null
  readonly refs: readonly SourceRef[]
  readonly quoteDecimals: number | null
  readonly gaps: readonly Gap[]
}

const assumptionsType = 'TreasuryAssumptions'
const defaultHorizonDays = 30

/** Reads what the portfolio holds and owes. @throws Failure as sources and chains refuse */
export async function readPortfolio(
  records: TenantRecords,
  services: ProviderAccess,
  request: Input,
  now: number,
): Promise<ReadPortfolio> {
  const { set, entries, active, refs } = await readSources(records, request)
  const read = await openingBalances(records, services, entries, active, now)
  const { snapshot, classifier } = read
  const { openings, gaps: ownTokenGaps } = excludeOwnToken(read.openings)
  const at = read.asOf * 1000
  const known = await knownAssetsOf(records, {
    quoteKey: request.quoteKey,
    entries,
    openings,
    classifier,
    asOf: read.asOf,
    keys: [...openings.map(({ assetKey }) => assetKey), ...flowKeys(entries, set)],
    named: request.priceProviderId,
  })
  const { assets: unheld } = await knownAssetsOf(records, {
    quoteKey: request.quoteKey,
    entries,
    openings: [],
    classifier,
    asOf: read.asOf,
    keys: factorKeys(request, known.assets),
    named: request.priceProviderId,
  })
  const held = new Set(openings.map(({ assetKey }) => assetKey))
  const owed = known.assets.filter(
    ({ assetKey, price }) => price && assetKey !== request.quoteKey && !held.has(assetKey),
  )
  const factors = [...owed, ...unheld]
  const prices = new Map(
    known.assets.flatMap(({ assetKey, price }) => (price ? [[assetKey, price.priceX36]] : [])),
  ) as Map<string, string>
  const priced = new Map(
    known.assets.flatMap(({ assetKey, tier, price }) =>
      price ? [[assetKey, markedAsset(assetKey, tier, price, request.quoteKey)] as const] : [],
    ),
  )
  const { flows, gaps } = readFlows(entries, set, priced, {
    at,
    horizonDays: request.horizonDays ?? defaultHorizonDays,
  })
  const holdings = openings.flatMap((opening) =>
    lotsOf(opening, at, { quoteKey: request.quoteKey, prices }),
  )
  const decimals = (await assetsOf(records)).get(request.quoteKey)?.decimals ?? null
  return {
    holdings,
    flows,
    set,
    at,
    snapshot,
    quoteDecimals: decimals,
    refs: [...refs, ...evidenceBehind(openings)],
    assets: known.assets,
    factors,
    containers: [...new Set(holdings.map(({ container }) => container))],
    gaps: [
      ...read.gaps,
      ...ownTokenGaps,
      ...known.gaps,
      ...gaps,
      ...omittedGaps(active.length - entries.length),
    ],
  }
}

/**
 * A falling own token drains the other leg from its pool, which a model with constant legs does not
 * show. So a claim with an own-token leg counts as zero under stress.
 */
function excludeOwnToken(openings: readonly Opening[]): {
  readonly openings: readonly Opening[]
  readonly gaps: readonly Gap[]
} {
  const ids = new Set(
    openings.flatMap(({ entryId, isDirect, tier }) =>
      !isDirect && tier === 'T4' ? [entryId] : [],
    ),
  )
  return {
    openings: openings.map((one) => (ids.has(one.entryId) ? { ...one, tier: 'T4' } : one)),
    gaps: [...ids].map((subject) => ({
      code: 'CLAIM_BESIDE_OWN_TOKEN',
      subject,
      effect: 'FLAGGED',
      detail:
        'If the own token falls, the pool pays out the other leg of this claim. None of its legs counts under stress.',
    })),
  }
}

function markedAsset(
  assetId: string,
  tier: contract.TreasuryTier,
  { priceX36 }: contract.TreasuryPrice,
  quoteKey: string,
): MarkedAsset {
  const isQuote = assetId === quoteKey
  return { assetId, tier: tierNumber(tier), priceX36: BigInt(priceX36), isQuote }
}

/** Factors of CORRELATED legs and proxies for assets without history, excluding held assets. */
function factorKeys({ quoteKey, scenarios = [] }: Input, assets: readonly KnownAsset[]): string[] {
  const legs = scenarios.flatMap((scenario) => scenario.legs)
  const named = legs.flatMap((leg) => (leg.kind === 'CORRELATED' ? [leg.factor] : []))
  const native = legs.some(({ kind }) => kind === 'HISTORICAL')
    ? [nativeOf(assets.map(({ assetKey }) => assetKey))]
    : []
  return [...named, ...native].filter(
    (key) => key !== quoteKey && !assets.some(({ assetKey }) => assetKey === key),
  )
}

async function readSources(records: TenantRecords, { portfolio, assumptions }: Input) {
  if (assumptions && assumptions.resourceType !== assumptionsType) {
    refuse({
      'payload.assumptions.resourceType': [
        `must be ${assumptionsType}, got ${assumptions.resourceType}`,
      ],
    })
  }
  const requested = 'entries' in portfolio ? portfolio.entries : null
  const named = [
    ...(assumptions ? [{ ref: assumptions, at: 'payload.assumptions' }] : []),
    ...(requested ?? []).map((ref, index) => ({ ref, at: `payload.portfolio.entries.${index}` })),
  ]
  const found = await currentSources(records, named)
  const active = await activeEntries(records)
  const ids = requested && new Set(requested.map(({ id }) => id))
  const entries: Entry[] = ids ? active.filter(({ id }) => ids.has(id)) : active
  const retired = (requested ?? []).flatMap(({ id }, index) =>
    entries.some((entry) => entry.id === id) ? [] : [index],
  )
  refuse(
    Object.fromEntries(
      retired.map((itemIndex) => [`payload.portfolio.entries.${itemIndex}`, ['must be ACTIVE']]),
    ),
  )
  const set = assumptions
    ? (found[0] as VersionedRecord<contract.TreasuryAssumptions>).payload.assumptions
    : null
  return {
    set,
    entries,
    active,
    refs: [...(assumptions ? [assumptions] : []), ...entries.map(refOf)],
  }
}

/**
 * Splits an opening into its unlocked part and restricted parts with days until unlock. Reserved
 * amounts can be sold.
 */
function lotsOf(
  opening: Opening,
  at: number,
  of: { readonly quoteKey: string; readonly prices: ReadonlyMap<string, string> },
): HeldLot[] {
  const { entryId, containerKey, assetKey, tier, isDirect, control } = opening
  const { quantity, restricted, returns } = opening
  const lot = (atoms: bigint, lockedDays: number | null): HeldLot[] =>
    atoms === 0n
      ? []
      : [
          {
            entryId,
            assetKey,
            tier,
            isDirect,
            quantity: atoms,
            lockedDays,
            container: containerKey,
            control: control.status,
            isQuote: assetKey === of.quoteKey,
            priceX36: of.prices.get(assetKey) ?? null,
          },
        ]
  const ending = returns.reduce((sum, one) => sum + one.quantity, 0n)
  return [
    ...lot(quantity - restricted, 0),
    ...returns.flatMap((one) =>
      lot(one.quantity, Math.max(0, Math.ceil((one.at - at) / dayMilliseconds))),
    ),
    ...lot(restricted - ending, null),
  ]
}

/** Value of a lot at its price, rounded down; zero without a price. */
export const worthOf = ({ quantity, priceX36 }: Pick<HeldLot, 'quantity' | 'priceX36'>): bigint =>
  valueAt(quantity, priceX36 ?? '0', 'DOWN')

const omittedGaps = (count: number): Gap[] =>
  count === 0
    ? []
    : [
        {
          code: 'ENTRIES_LEFT_OUT',
          subject: 'entries',
          effect: 'FLAGGED',
          detail: `${count} active ledger entries were not included.`,
        },
      ]
