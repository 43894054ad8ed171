import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../failure.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { weekSeconds } from '../../units.ts'
import { orientationOf } from '../inline-market.ts'
import type { VenueRecord } from '../named-venue.ts'
import { isOfPool } from './pool-source.ts'
import {
  coveragePips,
  crossed,
  inverted,
  medianError,
  type PriceCourse,
  type PricePoint,
} from './price-course.ts'
import { type AssetUnit, isSameUnit, type KnownDecimals, scaledCourse } from './price-scale.ts'
import { pricesOfVersion } from './price-store.ts'
import { assetKeyOf, decimalsOfPair } from './prices-of-pair.ts'
import { namesPrices, pricesOfVenue } from './venue-prices.ts'

type Reference = contract.PriceReference
type Series = Extract<Reference, { kind: 'SERIES' }>
type Pair = contract.StudySpec['pair']
type RefusalCode = 'LIQUIDITY_STUDY_REFERENCE_REQUIRED' | 'LIQUIDITY_ATTRIBUTION_INPUT_INVALID'

/** External prices for a pool, of its base in its quote. */
export interface ReferencePrices {
  readonly points: readonly PricePoint[]
  /**
   * Fee of the venue of the prices: within it, they do not move. Null if they follow the market.
   */
  readonly bandFeePips: number | null
}

export interface NamedReference extends ReferencePrices {
  readonly inputs: { readonly name: string; readonly hash: string }[]
  /** Whose prices they are. */
  readonly source: string
}

/** Required price coverage of the window, as a share. */
const minCoveragePips = 950_000

/** Request for a reference, and its error code. */
export interface ReferenceTerms {
  readonly pair: Pair
  /** Unix seconds. */
  readonly window: { readonly from: number; readonly to: number }
  /** Addresses of the evaluated markets; a market must not be its own reference. */
  readonly evaluated: readonly string[]
  readonly field: string
  readonly refusal: RefusalCode
}

export interface ReferenceCourse extends NamedReference, PriceCourse {}

/**
 * Reads the prices that a study names as reference for its pool.
 *
 * A reference must cover 95 % of the window, with an error of at most half the pool's fee. A larger
 * error would hide which trades were arbitrage.
 *
 * @throws Failure 404 for a missing version, 422 for an unsuitable one
 */
export async function readReference(
  records: TenantRecords,
  reference: Reference,
  terms: ReferenceTerms & { readonly feePips: number },
): Promise<NamedReference> {
  const { window, feePips, field, refusal } = terms
  const course = await referenceCourse(records, reference, terms)
  const at = `${field}.${reference.kind === 'VENUE' ? 'venue' : 'series'}`
  const coverage = coveragePips(course, window)
  if (coverage < minCoveragePips) {
    const words = `must cover at least ${minCoveragePips} pips of the window with prices, got ${coverage}`
    throw refused(refusal, at, words)
  }
  const error = medianError(course)
  if (2 * error > feePips) {
    const words = `must have an error of at most half the fee of ${feePips} pips, got ${error}`
    throw refused(refusal, at, words)
  }
  return course
}

/**
 * Prices of a reference, with any coverage and error.
 *
 * @throws Failure 404 for a missing version, 422 for another pair or the evaluated market
 */
export function referenceCourse(
  records: TenantRecords,
  reference: Reference,
  terms: ReferenceTerms,
): Promise<ReferenceCourse> {
  return reference.kind === 'VENUE'
    ? venueCourse(records, reference.venue, terms)
    : seriesCourse(records, reference, terms)
}

async function venueCourse(
  records: TenantRecords,
  ref: Series['series'],
  { pair, window, evaluated, field, refusal }: ReferenceTerms,
): Promise<ReferenceCourse> {
  const at = `${field}.venue`
  const found = await records.version<VenueRecord['payload']>(
    ...(['VenueProfile', ref.id, ref.resourceVersion] as const),
  )
  if (!found) throw absent(at, ref)
  const { record } = found
  const { address, pair: venuePair, kind } = record.payload
  if (evaluated.some((market) => market.toLowerCase() === address.toLowerCase())) {
    throw refused(refusal, at, `must not be the venue under evaluation, got ${ref.id}`)
  }
  const tokens = (of: Pair) => [of.base, of.quote].map((token) => token.toLowerCase()).sort()
  if (venuePair.chainId !== pair.chainId || `${tokens(venuePair)}` !== `${tokens(pair)}`) {
    throw refused(refusal, at, 'must be a venue for the same pair')
  }
  if (!namesPrices(record.payload)) {
    throw refused(refusal, at, `must not be a ${kind} venue, because its events contain no prices`)
  }
  const side = orientationOf(pair)
  const prices = await pricesOfVenue(records, record, side, window)
  return {
    points: prices.points,
    maximumAgeSeconds: prices.maximumAgeSeconds,
    inputs: [
      { name: 'reference', hash: ref.resourceVersion },
      { name: 'reference.observations', hash: prices.observationsHash },
      { name: 'reference.prices', hash: prices.pricesHash },
    ],
    source: `VENUE ${ref.id}`,
    bandFeePips: record.payload.feePips ?? 3000,
  }
}

async function seriesCourse(
  records: TenantRecords,
  { series, over }: Series,
  { pair, window, evaluated, field, refusal }: ReferenceTerms,
): Promise<ReferenceCourse> {
  const known = decimalsOfPair(pair)
  const read = (ref: Series['series'], member: string) =>
    courseOf(records, ref, { window, field: `${field}.${member}`, known })
  const first = await read(series, 'series')
  const second = over === undefined ? null : await read(over, 'over')
  for (const [member, one] of Object.entries({ series: first, over: second })) {
    const own = evaluated.find((market) => one !== null && isOfPool(one.key, market))
    if (own === undefined) continue
    throw refused(refusal, `${field}.${member}`, `must not be prices of the evaluated pool ${own}`)
  }
  const [base, quote] = [assetKeyOf(pair, pair.base), assetKeyOf(pair, pair.quote)]
  const course =
    second === null
      ? ofPair(first, base, quote)
      : quotient(ofAsset(first, base), ofAsset(second, quote))
  if (course === null) {
    const found = [first, second].map((one) => one && `${one.key.base} in ${one.key.quote}`)
    const wanted =
      second === null ? `${base} and ${quote}` : 'base and quote, both in one common asset'
    const words = `must be prices of ${wanted}, got ${found.filter(Boolean).join(' over ')}`
    throw refused(refusal, `${field}.series`, words)
  }
  return {
    points: course.points,
    maximumAgeSeconds: course.maximumAgeSeconds,
    inputs: [
      { name: 'reference', hash: series.resourceVersion },
      ...(over ? [{ name: 'reference.over', hash: over.resourceVersion }] : []),
    ],
    source: [first, second]
      .flatMap((one) => (one ? [`${one.key.source} ${one.key.of}`] : []))
      .join(' over '),
    bandFeePips: null,
  }
}

interface Read extends PriceCourse {
  readonly key: contract.PriceSeriesKey
  readonly base: AssetUnit
  readonly quote: AssetUnit
}

async function courseOf(
  records: TenantRecords,
  ref: Series['series'],
  {
    window,
    field,
    known,
  }: Pick<ReferenceTerms, 'window' | 'field'> & { readonly known: KnownDecimals },
): Promise<Read> {
  // The initial price of the window was published earlier.
  const reach = { from: window.from - weekSeconds, to: window.to }
  const found = await pricesOfVersion(records, ref, reach)
  if (!found) throw absent(field, ref)
  const { payload } = found.series
  const { maximumAgeSeconds } = payload
  const { course, base, quote } = scaledCourse(
    { points: found.points, maximumAgeSeconds },
    payload,
    known,
  )
  return { key: payload.key, ...course, base, quote }
}

function ofPair(read: Read, base: string, quote: string): PriceCourse | null {
  if (read.key.base === base && read.key.quote === quote) return read
  return read.key.base === quote && read.key.quote === base ? inverted(read) : null
}

/** Prices of an asset, and their unit. */
function ofAsset(read: Read, asset: string): { course: PriceCourse; unit: AssetUnit } | null {
  if (read.key.base === asset) return { course: read, unit: read.quote }
  return read.key.quote === asset ? { course: inverted(read), unit: read.base } : null
}

function quotient(
  a: ReturnType<typeof ofAsset>,
  b: ReturnType<typeof ofAsset>,
): PriceCourse | null {
  return a && b && isSameUnit(a.unit, b.unit) ? crossed(a.course, b.course) : null
}

const refused = (code: RefusalCode, field: string, message: string) =>
  new Failure(code, { fieldErrors: { [field]: [message] } })

const absent = (field: string, ref: Series['series']) =>
  new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
    fieldErrors: { [field]: [`must be a stored version of ${ref.id}, got ${ref.resourceVersion}`] },
  })
