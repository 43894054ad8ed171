import type { contract, FieldErrors, SourceRef } from '@liquidity-os/contract'
import type { Orientation } from '@liquidity-os/engine/amm'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import type { ObservedMarket } from '@liquidity-os/engine/capital'
import { exponentialCovariance } from '@liquidity-os/engine/stress'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import { marketAfter, type ObservationRecord } from '../../../market/completed-observations.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { ownLiquidityIn, ownPositionsAt } from '../../../market/own-positions.ts'
import { dailyCloses, dailyReturns } from '../../../market/prices/daily-prices.ts'
import { priceOfAsset } from '../../../market/prices/price-of-asset.ts'
import { pricesOfAssets } from '../../../market/prices/prices-of-pair.ts'
import { namedAsset, tokenKey } from '../../../market/treasury/asset-keys.ts'
import { venueOrientation } from '../../../market/venue-orientation.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { daySeconds } from '../../../units.ts'
import { currentSources } from '../../sources.ts'

type Input = contract.CapitalRequirementInput
type Gap = contract.TreasuryGap
type Bucket = VersionedRecord<contract.TreasuryBucket>

const x36 = 10n ** 36n
const x18 = 10n ** 18n
/** A price with fewer digits is less precise than the depth derived from it. */
const coarsePrice = 100_000n
const minReturns = 30

export interface ReadPrice {
  readonly price: Rat | null
  readonly observation: contract.TreasuryPrice | null
  readonly gaps: readonly Gap[]
}

/** The price behind a request. @throws Failure 409 if the request pins an outdated version */
export async function readPrice(
  records: TenantRecords,
  { token, quote, reference }: Input,
  now: number,
): Promise<ReadPrice> {
  if (reference.kind === 'DECLARED') {
    const declared = declaredX36(reference)
    const price = { num: declared, den: x36 }
    const priceX36 = `${declared}`
    const digits = reference.priceX36 ?? `${declared / x18}`
    const gap: Gap = {
      code: 'PRICE_COARSE',
      subject: token,
      effect: 'FLAGGED',
      detail: `The declared price has ${digits.length} digits.`,
    }
    return {
      price,
      observation: {
        assetKey: token,
        quoteKey: quote,
        priceX36,
        source: 'declared by the caller',
        generation: H('price-generation/v1', { versions: [], at: 0, priceX36 }),
        observedAt: new Date(now).toISOString(),
        maximumAgeSeconds: 0,
        errorPips: 0,
      },
      gaps: BigInt(digits) < coarsePrice ? [gap] : [],
    }
  }
  const { providerId, oracleGeneration } = reference
  const at = Math.floor(now / 1000)
  const found = await priceOfAsset(records, { assetKey: token, quoteKey: quote, providerId }, at)
  if (found === null) {
    const detail = `No series of ${providerId} has a current price of the token in the quote.`
    const gap: Gap = { code: 'PRICE_UNAVAILABLE', subject: token, detail, effect: 'EXCLUDED' }
    return { price: null, observation: null, gaps: [gap] }
  }
  if (oracleGeneration !== undefined && oracleGeneration !== found.generation) {
    throw new Failure('LIQUIDITY_TREASURY_ORACLE_GENERATION_STALE', {
      fieldErrors: {
        'payload.reference.oracleGeneration': [
          `must be the current ${found.generation}, got ${oracleGeneration}`,
        ],
      },
    })
  }
  return { price: { num: BigInt(found.priceX36), den: x36 }, observation: found, gaps: [] }
}

const maxPriceX36 = 10n ** 80n

/** @throws Failure 422 unless exactly one of both forms is above zero and below 10^80 in X36 */
function declaredX36({
  priceX18,
  priceX36,
}: Extract<Input['reference'], { kind: 'DECLARED' }>): bigint {
  if ((priceX18 === undefined) === (priceX36 === undefined)) {
    throw invalid({ 'payload.reference': ['must have either priceX18 or priceX36'] })
  }
  const field = `payload.reference.${priceX36 === undefined ? 'priceX18' : 'priceX36'}`
  const declared = priceX36 === undefined ? BigInt(priceX18 ?? 0) * x18 : BigInt(priceX36)
  if (declared === 0n) throw invalid({ [field]: ['must be above zero'] })
  if (declared >= maxPriceX36) {
    throw invalid({ [field]: [`must be below 10^${priceX36 === undefined ? 62 : 80}`] })
  }
  return declared
}

/** Annual volatility, as a float; null with a gap if unknown. */
export async function readVolatility(
  records: TenantRecords,
  { token, quote, reference, volatility }: Input,
  now: number,
): Promise<{ annual: number | null; gaps: readonly Gap[] }> {
  if (volatility.kind === 'DECLARED') return { annual: volatility.annualPips / 1e6, gaps: [] }
  if (reference.kind !== 'ORACLE') {
    throw invalid({
      'payload.volatility.kind': ['must be DECLARED if the price is declared, got OBSERVED'],
    })
  }
  const to = Math.floor(now / 1000)
  const window = { from: to - (volatility.days + 1) * daySeconds, to }
  const { providerId } = reference
  const found = await pricesOfAssets(records, { base: token, quote, window, providerId })
  const returns = found
    .map(({ course }) => [...dailyReturns(dailyCloses(course.points, window)).values()])
    .reduce((longest, one) => (one.length > longest.length ? one : longest), [])
  if (returns.length < minReturns) {
    const detail = `${returns.length} daily returns are available. At least ${minReturns} are required for buffer, loss and survival.`
    const gap: Gap = { code: 'VOLATILITY_UNAVAILABLE', subject: token, detail, effect: 'EXCLUDED' }
    return { annual: null, gaps: [gap] }
  }
  const [[variance = 0] = []] = exponentialCovariance(returns.map((one) => [one]))
  return { annual: Math.sqrt(variance * 365), gaps: [] }
}

/**
 * Orientation of the token in a pool, by address order. Null if the two are not tokens of one
 * chain.
 */
export function pairOf({ token, quote }: Pick<Input, 'token' | 'quote'>) {
  const [a, b] = [namedAsset(token), namedAsset(quote)]
  if (a.kind !== 'TOKEN' || b.kind !== 'TOKEN' || a.chainId !== b.chainId) return null
  const isFirst = a.address.toLowerCase() < b.address.toLowerCase()
  const orientation: Orientation = isFirst ? { base: 0, quote: 1 } : { base: 1, quote: 0 }
  return { chainId: a.chainId, orientation }
}

/**
 * Market liquidity of others in the named observations, without the issuer's positions in the
 * profile.
 */
export async function readMarkets(
  records: TenantRecords,
  input: Input,
): Promise<{ markets: ObservedMarket[]; gaps: Gap[]; refs: SourceRef[] }> {
  const refs = input.existingDepth?.observations ?? []
  const at = (index: number) => `payload.existingDepth.observations.${index}`
  requireType(refs, 'VenueObservation', at)
  const observations = (await currentSources(
    records,
    refs.map((ref, index) => ({ ref, at: at(index) })),
  )) as ObservationRecord[]
  const markets: ObservedMarket[] = []
  const gaps: Gap[] = []
  const seen = new Set<string>()
  for (const [index, observation] of observations.entries()) {
    const venueId = observation.payload.venue.id
    const venue = await records.current<VenueRecord['payload']>('VenueProfile', venueId)
    const pair = venue?.record.payload.pair
    const isOfPair =
      pair &&
      tokenKey(pair.chainId, pair.base) === input.token &&
      tokenKey(pair.chainId, pair.quote) === input.quote
    if (!venue || !isOfPair)
      throw invalid({ [at(index)]: ['must be of a venue for token and quote'] })
    if (seen.has(venueId))
      throw invalid({ [at(index)]: ['must be the only reference to its venue'] })
    seen.add(venueId)
    const { profile, market } = {
      profile: venue.record.payload,
      market: await marketAfter(records, observation),
    }
    const own = ownPositionsAt(profile.ownedPositions, observation.payload.positionTokens)
    if (!own.areKnown) {
      const detail =
        'The issuer positions in the profile were not read. They count as positions of others.'
      gaps.push({ code: 'OWN_POSITIONS_UNKNOWN', subject: venueId, detail, effect: 'BOUNDED' })
    }
    markets.push({
      market,
      orientation: venueOrientation(profile),
      feePips: feeOf(market),
      ...(market.kind === 'UNISWAP_V3' ? { own: ownLiquidityIn(market, own.positions) } : {}),
    })
  }
  return { markets, gaps, refs: [...refs] }
}

/** Fee of a market, millionths, rounded up. */
function feeOf(market: ObservedMarket['market']): number {
  if ('feePips' in market) return market.feePips
  if ('feeX10' in market) return Math.ceil(Number(market.feeX10) / 10_000)
  if (!('fee' in market)) return 0
  const { numerator, denominator } = market.fee
  return Math.ceil((Number(numerator) * 1_000_000) / Number(denominator))
}

/** Free amounts of both assets in the named holdings, without duplicates; null if none is named. */
export async function readAvailable(
  records: TenantRecords,
  { ledgerSources, token, quote }: Input,
): Promise<{ token: bigint; quote: bigint } | null> {
  if (ledgerSources === undefined) return null
  const at = (index: number) => `payload.ledgerSources.${index}`
  const faults: FieldErrors = {}
  for (const [index, { id }] of ledgerSources.entries()) {
    const isRepeated = ledgerSources.findIndex((one) => one.id === id) !== index
    if (isRepeated) faults[at(index)] = ['must be unique']
  }
  refuse(faults)
  const entries = (await currentSources(
    records,
    ledgerSources.map((ref, index) => ({ ref, at: at(index) })),
  )) as Bucket[]
  const available = { token: 0n, quote: 0n }
  for (const [index, { status, payload }] of entries.entries()) {
    const side = payload.asset === token ? 'token' : payload.asset === quote ? 'quote' : null
    if (status === 'RETIRED') faults[at(index)] = ['must be active, got RETIRED']
    else if (payload.entryKind !== 'ASSET') faults[at(index)] = ['must be a holding']
    else if (side === null) faults[at(index)] = [`must hold token or quote, got ${payload.asset}`]
    else if (payload.split) available[side] += BigInt(payload.split.unrestricted)
  }
  refuse(faults)
  return available
}

function requireType(
  refs: readonly SourceRef[],
  type: string,
  at: (index: number) => string,
): void {
  const faults: FieldErrors = {}
  for (const [index, { resourceType }] of refs.entries()) {
    if (resourceType !== type) {
      faults[`${at(index)}.resourceType`] = [`must be ${type}, got ${resourceType}`]
    }
  }
  refuse(faults)
}

export const invalid = (fieldErrors: FieldErrors) =>
  new Failure('LIQUIDITY_CAPITAL_REQUEST_INVALID', { fieldErrors })

function refuse(fieldErrors: FieldErrors): void {
  if (Object.keys(fieldErrors).length > 0) throw invalid(fieldErrors)
}
