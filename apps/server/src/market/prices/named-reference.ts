import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { Failure } from '../../failure.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { weekSeconds } from '../../units.ts'
import {
  coveragePips,
  crossed,
  inverted,
  medianError,
  type PriceCourse,
  type PricePoint,
} from './price-course.ts'
import { pricesOfVersion } from './price-store.ts'
import { assetKeyOf } from './prices-of-pair.ts'

type Series = Extract<Static<typeof contract.StudyReference>, { kind: 'SERIES' }>
type Pair = contract.StudySpec['pair']

/** Prices outside of a pool, of its base in its quote. */
export interface NamedReference {
  readonly points: readonly PricePoint[]
  /** What it rests on: exact versions. */
  readonly inputs: { readonly name: string; readonly hash: string }[]
  /** Whose prices they are. */
  readonly source: string
}

/** Share of the window for which there must be a price. */
const leastCoveragePips = 950_000

/**
 * Reads the prices that a study names as what its pool is compared with.
 *
 * A reference has a price for 95 % of the window, and is off by at most half the fee of the pool: with a larger error nobody can
 * tell who traded because the pool was off.
 *
 * @param window Unix seconds
 * @param field  of the request at which it is named
 * @throws Failure 404 for a version that does not exist, 422 LIQUIDITY_STUDY_REFERENCE_REQUIRED for one that does not serve
 */
export async function readReference(
  records: TenantRecords,
  { series, over }: Series,
  terms: {
    readonly pair: Pair
    readonly window: { readonly from: number; readonly to: number }
    readonly feePips: number
    readonly field: string
  },
): Promise<NamedReference> {
  const { pair, window, feePips, field } = terms
  const read = (ref: Series['series'], member: string) =>
    courseOf(records, ref, window, `${field}.${member}`)
  const first = await read(series, 'series')
  const second = over === undefined ? null : await read(over, 'over')
  const [base, quote] = [assetKeyOf(pair, pair.base), assetKeyOf(pair, pair.quote)]
  const course =
    second === null
      ? ofPair(first, base, quote)
      : quotient(ofAsset(first, base), ofAsset(second, quote))
  if (course === null) {
    const found = [first, second].map((one) => one && `${one.key.base} in ${one.key.quote}`)
    const wanted = second === null ? `${base} and ${quote}` : 'base and quote in one third asset'
    throw refused(
      `${field}.series`,
      `must be prices of ${wanted}, got ${found.filter(Boolean).join(' over ')}`,
    )
  }
  const coverage = coveragePips(course, window)
  if (coverage < leastCoveragePips) {
    throw refused(
      `${field}.series`,
      `must have a price for ${leastCoveragePips} pips of the window, has one for ${coverage}`,
    )
  }
  const error = medianError(course)
  if (2 * error > feePips) {
    throw refused(
      `${field}.series`,
      `must be off by at most half the fee of ${feePips} pips, is off by ${error}`,
    )
  }
  return {
    points: course.points,
    inputs: [
      { name: 'reference', hash: series.resourceVersion },
      ...(over ? [{ name: 'reference.over', hash: over.resourceVersion }] : []),
    ],
    source: [first, second]
      .flatMap((one) => (one ? [`${one.key.source} ${one.key.of}`] : []))
      .join(' over '),
  }
}

interface Read extends PriceCourse {
  readonly key: contract.PriceSeriesKey
}

async function courseOf(
  records: TenantRecords,
  ref: Series['series'],
  window: { readonly from: number; readonly to: number },
  field: string,
): Promise<Read> {
  // What holds at the begin was told before.
  const reach = { from: window.from - weekSeconds, to: window.to }
  const found = await pricesOfVersion(records, ref, reach)
  if (!found) {
    throw new Failure('LIQUIDITY_SOURCE_UNAVAILABLE', {
      fieldErrors: { [field]: [`has no version ${ref.resourceVersion} of ${ref.id}`] },
    })
  }
  const { key, maximumAgeSeconds } = found.series.payload
  return { key, maximumAgeSeconds, points: found.points }
}

function ofPair(read: Read, base: string, quote: string): PriceCourse | null {
  if (read.key.base === base && read.key.quote === quote) return read
  return read.key.base === quote && read.key.quote === base ? inverted(read) : null
}

/** Prices of an asset, and in what. */
function ofAsset(read: Read, asset: string): { course: PriceCourse; unit: string } | null {
  if (read.key.base === asset) return { course: read, unit: read.key.quote }
  return read.key.quote === asset ? { course: inverted(read), unit: read.key.base } : null
}

function quotient(
  a: ReturnType<typeof ofAsset>,
  b: ReturnType<typeof ofAsset>,
): PriceCourse | null {
  return a && b && a.unit === b.unit ? crossed(a.course, b.course) : null
}

const refused = (field: string, message: string) =>
  new Failure('LIQUIDITY_STUDY_REFERENCE_REQUIRED', { fieldErrors: { [field]: [message] } })
