import type { VenueLine } from '../api/queries.ts'

const replayedKinds = ['UNISWAP_V2', 'UNISWAP_V3']

/** True if a backtest can replay the venue. */
export const isReplayable = ({ status, payload }: VenueLine): boolean =>
  status === 'VALIDATED' && replayedKinds.includes(payload.kind)

/** A range around the start price: `lowerPips` below it and `upperPips` above, in millionths. */
export interface Range {
  lowerPips: number
  upperPips: number
}

/** The part of an observation that a study request references. */
export interface Observed {
  id: string
  resourceVersion: string
  status: string
  payload: {
    venue: { id: string; resourceVersion: string }
    range: {
      from: { number: number; timestamp: string }
      to: { number: number; timestamp: string }
    }
    counts?: Record<string, number>
    metrics?: { midX18: string; midX36?: string; tvlQuote: string }
  }
}

export const firstRanges: readonly Range[] = [
  { lowerPips: 200_000, upperPips: 250_000 },
  { lowerPips: 500_000, upperPips: 1_000_000 },
]
/** Per study. More rows would make the table unreadable. */
export const maxRanges = 6
const maxObservations = 16
/** Ranges in URL form: `200000-250000,500000-1000000`. */
export const writeRanges = (ranges: readonly Range[]): string =>
  ranges.map(({ lowerPips, upperPips }) => `${lowerPips}-${upperPips}`).join(',')

export function readRanges(text: string | undefined): Range[] {
  const ranges = (text ?? '').split(',').flatMap((one) => {
    const [, lower, upper] = /^(\d{1,6})-(\d{1,8})$/.exec(one) ?? []
    return lower && upper ? [{ lowerPips: Number(lower), upperPips: Number(upper) }] : []
  })
  return ranges.length === 0 ? [...firstRanges] : ranges.slice(0, maxRanges)
}

export const labelOfRange = ({ lowerPips, upperPips }: Range): string =>
  `−${lowerPips / 10_000} % to +${upperPips / 10_000} %`

/**
 * The newest observations without a data gap between them, oldest first.
 *
 * @param isWhole true for all, else only the newest
 */
export function windowOf(observations: readonly Observed[], isWhole: boolean): Observed[] {
  const [newest, ...older] = observations
    .filter(({ status }) => status === 'COMPLETED')
    .toSorted((a, b) => b.payload.range.to.number - a.payload.range.to.number)
  if (!newest) return []
  const picked = [newest]
  if (!isWhole) return picked
  for (const one of older) {
    const [first] = picked
    if (!first || picked.length === maxObservations) break
    const { from } = first.payload.range
    const { to } = one.payload.range
    if (to.number === from.number || to.number === from.number - 1) picked.unshift(one)
  }
  return picked
}

export const eventsIn = (observations: readonly Observed[]): number =>
  observations.reduce(
    (sum, { payload }) =>
      sum + Object.values(payload.counts ?? {}).reduce((all, count) => all + count, 0),
    0,
  )

/** A study of ranges against HODL and the full range, over the observed period. */
export function studyOf({
  venue,
  observations,
  ranges,
  base,
  quote,
}: {
  venue: VenueLine
  observations: readonly Observed[]
  ranges: readonly Range[]
  base: bigint
  quote: bigint
}) {
  const [first] = observations
  const last = observations.at(-1)
  if (!first || !last) throw new Error('A study requires an observation.')
  // Typical trade sizes: 1 %, 10 % and 50 % of the quote capital.
  const sizes = [100n, 10n, 2n].map((part) => quote / part).filter((size) => size > 0n)
  return {
    schemaVersion: 'simulation-study-v1',
    name: `Ranges in ${venue.payload.name}`.slice(0, 120),
    kind: 'REPLAY',
    pair: venue.payload.pair,
    market: { venue: { id: venue.id, resourceVersion: last.payload.venue.resourceVersion } },
    observations: observations.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
    window: {
      fromBlock: first.payload.range.from.number,
      toBlock: last.payload.range.to.number,
    },
    arms: [
      { armId: 'hold', label: 'HODL', position: { kind: 'HOLD' } },
      { armId: 'full', label: 'Full range', position: { kind: 'FULL_RANGE' } },
      // Numbered by index, so a changed range compares with its earlier version.
      ...ranges.map((range, index) => ({
        armId: `range-${index + 1}`,
        label: labelOfRange(range),
        position: { kind: 'RANGE', ...range },
      })),
    ],
    capital: { base: base.toString(), quote: quote.toString(), normalization: 'EQUAL_VALUE' },
    tradeSizesQuote: (sizes.length === 0 ? [1n] : sizes).map(String),
  }
}
