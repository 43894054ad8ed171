import type { contract } from '@liquidity-os/contract'
import type { PolicyTerms } from '@liquidity-os/engine/policy'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Release } from '../../../../market/adapters/release.ts'
import type { VenueRecord } from '../../../../market/named-venue.ts'
import { venueOrientation } from '../../../../market/venue-orientation.ts'
import type { Services } from '../../../../services.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { Vault } from '../../autonomy-policies/api.ts'
import { isoOf } from '../quotes/admit-offers.ts'
import { executionQuotes } from '../records.ts'
import { checkLegs } from './check-legs.ts'
import type { Bounds } from './effective-bounds.ts'
import { type LegCall, neededAllowances, poolCall, quoteCall } from './leg-calls.ts'
import { planInThread } from './plan-in-thread.ts'
import type { PlanAnswer, PlannedLeg } from './plan-task.ts'
import { type GasPrice, gasPriceOf } from './price-gas.ts'
import { type Usable, type UsablePool, type UsableQuote, usableSources } from './usable-sources.ts'

type Leg = contract.ExecutionLegRecord
type Rejected = contract.ProtectedExecutionPlan['rejected'][number]

export interface PlanTerms {
  readonly requested: contract.ExecutionPlanInput
  readonly set: contract.QuoteSet
  readonly bounds: Bounds
  readonly release: Release | null
  readonly vault: Vault
  readonly policy: VersionedRecord<contract.AutonomyPolicy>
  readonly terms: PolicyTerms
}

export interface ComputedPlan {
  readonly answer: Extract<PlanAnswer, { refused: null }>
  readonly legs: readonly Leg[]
  readonly allowances: contract.ProtectedExecutionPlan['allowances']
  readonly gas: GasPrice
  readonly rejected: readonly Rejected[]
}

const defaultBufferSeconds = 30
/** An output above the vault's balance ends the search. */
const maxAmount = 2n ** 127n

/** Splits the order of a set in a thread, builds and checks the calls of all legs. */
export async function computePlan(
  records: TenantRecords,
  services: Pick<Services, 'awaited'>,
  plan: PlanTerms,
): Promise<
  ComputedPlan | { refused: { largest: bigint; reason: string }; rejected: readonly Rejected[] }
> {
  const { requested, set, bounds } = plan
  const { constraints } = requested
  const usable = usableSources(set, {
    now: Math.floor(records.now / 1000),
    bufferSeconds: constraints.settlementBufferSeconds ?? defaultBufferSeconds,
    routes: bounds.routes,
    allowLastLook: constraints.allowLastLook ?? false,
    includeInformational: constraints.includeInformational ?? false,
    band: bounds.band,
  })
  const gas = gasPriceOf(set, requested.gas ?? {})
  const venues = await venuesOf(records, set)
  const answer = await planInThread(services.awaited, {
    side: set.side,
    amountKind: set.amountKind,
    amount: BigInt(set.amount),
    maxInput:
      set.takerBalance === null || set.takerBalance === '0' ? maxAmount : BigInt(set.takerBalance),
    shares: {
      maximumLegs: constraints.maximumLegs,
      minimumFirmPips: constraints.minimumFirmPips ?? 0,
      maximumMakerPips: bounds.maximumMakerPips,
    },
    quotes: usable.quotes.map(({ quote, gasUnits }) => ({
      kind: 'QUOTE',
      sourceId: quote.quoteHash,
      maker: quote.maker.toLowerCase(),
      sellAmount: BigInt(quote.sellAmount),
      buyAmount: BigInt(quote.buyAmount),
      minimumFill: BigInt(quote.minimumFillSellAmount),
      isFirm: quote.firm,
      gasBuy: gas.inBuyAtoms(gasUnits),
    })),
    pools: await Promise.all(
      usable.pools.map(async ({ pool, gasUnits }) => ({
        sourceId: pool.venue.id,
        state: await records.artifact(pool.stateArtifact),
        orientation: venueOrientation(venueNamed(venues, pool.venue.id).payload),
        gasBuy: gas.inBuyAtoms(gasUnits),
      })),
    ),
    slippagePips: bounds.slippagePips,
  })
  if (answer.refused !== null) return { refused: answer.refused, rejected: usable.rejected }
  const made = await madeLegs(records, plan, usable, answer.legs, gas)
  const allowances = neededAllowances(
    sellTokenOf(set),
    set.allowances,
    made.flatMap(({ call, leg }) =>
      call ? [{ spender: call.spender, sellAmount: BigInt(leg.sellAmount) }] : [],
    ),
  )
  const checks = await checkedLegs(records, plan, made, allowances)
  const used = new Set(answer.legs.map(({ sourceId }) => sourceId))
  return {
    answer,
    legs: made.map(({ leg }, index) => ({ ...leg, check: checks[index]! })),
    allowances,
    gas,
    rejected: [...usable.rejected, ...notBetter(usable, used)],
  }
}

export const sellTokenOf = ({ side, pair }: contract.QuoteSet) =>
  side === 'SELL' ? pair.base : pair.quote
export const buyTokenOf = ({ side, pair }: contract.QuoteSet) =>
  side === 'SELL' ? pair.quote : pair.base

function notBetter({ quotes, pools }: Usable, used: ReadonlySet<string>): Rejected[] {
  const ids = [
    ...quotes.map(({ quote }) => quote.quoteHash),
    ...pools.map(({ pool }) => pool.venue.id),
  ]
  return ids
    .filter((sourceId) => !used.has(sourceId))
    .map((sourceId) => ({
      sourceId,
      reason: 'NOT_BETTER',
      detail: 'The order yields more without it, including gas.',
    }))
}

/**
 * Venue versions named in the set, even if venues changed since: the set's pool state belongs to
 * them.
 */
async function venuesOf(records: TenantRecords, set: contract.QuoteSet): Promise<VenueRecord[]> {
  return Promise.all(
    set.pools.map(async ({ venue: { id, resourceVersion } }) => {
      const found = await records.version<VenueRecord['payload']>(
        'VenueProfile',
        id,
        resourceVersion,
      )
      if (!found) throw new Error(`Version ${resourceVersion} of ${id} does not exist.`)
      return found.record
    }),
  )
}

function venueNamed(venues: readonly VenueRecord[], id: string): VenueRecord {
  const venue = venues.find((one) => one.id === id)
  if (!venue) throw new Error(`The plan uses ${id}, which is not a venue of its set.`)
  return venue
}

interface MadeLeg {
  readonly leg: Omit<Leg, 'check'>
  readonly call: LegCall | null
  readonly deadline: number
}

async function madeLegs(
  records: TenantRecords,
  { set, bounds }: PlanTerms,
  usable: Usable,
  planned: readonly PlannedLeg[],
  gas: GasPrice,
): Promise<MadeLeg[]> {
  const terms = {
    chainId: set.pair.chainId,
    taker: set.taker,
    relayer: set.relayer,
    sellToken: sellTokenOf(set),
    buyToken: buyTokenOf(set),
    settlementContract: set.settlementContract,
  }
  const signed = await signedQuotes(records, usable.quotes)
  return planned.map((one, legIndex): MadeLeg => {
    const quote = usable.quotes.find((other) => other.quote.quoteHash === one.sourceId)
    const pool = usable.pools.find((other) => other.pool.venue.id === one.sourceId)
    const source = quote ?? pool
    if (!source) throw new Error(`A leg uses ${one.sourceId}, which is not a usable source.`)
    const ends = quote ? Math.floor(Date.parse(quote.quote.validUntil) / 1000) : bounds.deadline
    const deadline = Math.min(ends, bounds.deadline)
    const amounts = { sellAmount: one.amountIn, minimumBuy: one.minimumOut, deadline }
    const call = quote
      ? quoteCall(terms, signedOf(signed, one.sourceId), amounts)
      : poolCall(terms, (pool as UsablePool).pool, amounts)
    const leg = { ...legOf(set, one, source, legIndex), deadline: isoOf(deadline) }
    return {
      call,
      deadline,
      leg: {
        ...leg,
        gasQuote: gas.inQuote(source.gasUnits),
        adapterId: call?.adapterId ?? null,
        call: call?.call ?? null,
        callHash: call?.callHash ?? null,
        settlement: call?.settlement ?? null,
      },
    }
  })
}

function legOf(
  set: contract.QuoteSet,
  planned: PlannedLeg,
  source: UsableQuote | UsablePool,
  legIndex: number,
) {
  const { sourceId, amountIn, amountOut, minimumOut, sandwich } = planned
  const isQuote = 'quote' in source
  return {
    legIndex,
    kind: isQuote ? ('QUOTE' as const) : ('POOL' as const),
    sourceId,
    source: isQuote
      ? { resourceType: 'ExecutionQuote', ...source.quote.quote }
      : { resourceType: 'VenueProfile', ...source.pool.venue },
    maker: isQuote ? source.quote.maker : null,
    firm: isQuote ? source.quote.firm : null,
    poolAddress: isQuote ? null : source.pool.address,
    sellAmount: `${amountIn}`,
    expectedBuy: `${amountOut}`,
    minimumBuy: `${minimumOut}`,
    marginalPriceX36: marginalX36(set, planned),
    gasUnits: source.gasUnits,
    route: source.route,
    sandwichBoundQuote: `${sandwich?.boundQuote ?? 0n}`,
    sandwich: sandwich && {
      boundSell: `${sandwich.bound}`,
      foundSell: `${sandwich.found}`,
      frontRunSell: `${sandwich.frontRun}`,
    },
  }
}

const x36 = 10n ** 36n

/** Rounded against the vault, as unit prices are. */
function marginalX36({ side }: contract.QuoteSet, { marginal }: PlannedLeg): string | null {
  if (marginal === null) return null
  const { amountIn, amountOut } = marginal
  return side === 'SELL'
    ? `${(amountOut * x36) / amountIn}`
    : `${(amountIn * x36 + amountOut - 1n) / amountOut}`
}

async function signedQuotes(records: TenantRecords, quotes: readonly UsableQuote[]) {
  if (quotes.length === 0) return new Map<string, contract.SignedQuote>()
  const found = await executionQuotes.find(records, {
    ids: quotes.map(({ quote }) => quote.quote.id),
  })
  return new Map(found.map(({ payload }) => [payload.quoteHash, payload.signed]))
}

function signedOf(signed: ReadonlyMap<string, contract.SignedQuote>, quoteHash: string) {
  const found = signed.get(quoteHash)
  if (!found) throw new Error(`The quote ${quoteHash} of a sealed set is missing.`)
  return found
}

function checkedLegs(
  records: TenantRecords,
  { set, policy, terms, vault, release }: PlanTerms,
  made: readonly MadeLeg[],
  allowances: contract.ProtectedExecutionPlan['allowances'],
) {
  const given = new Set<string>()
  return checkLegs(records, {
    policy,
    limits: terms,
    vault,
    release,
    set,
    sellToken: sellTokenOf(set),
    buyToken: buyTokenOf(set),
    legs: made.map(({ leg, call, deadline }) => {
      const allowance = call && allowances.find(({ spender }) => spender === call.spender)
      const isFirst = allowance && !given.has(allowance.spender)
      if (isFirst) given.add(allowance.spender)
      return {
        sellAmount: BigInt(leg.sellAmount),
        expectedBuy: BigInt(leg.expectedBuy),
        minimumBuy: BigInt(leg.minimumBuy),
        deadline,
        route: leg.route,
        adapterId: leg.adapterId,
        calls: call && [...(isFirst ? [allowance.call] : []), call.call],
      }
    }),
  })
}
