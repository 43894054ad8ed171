import { type BookMeasures, joinMeasures } from './book-measures.ts'

/** From `from` to before `to`, Unix seconds. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A measured book of one moment. */
export interface TimedMeasures {
  /** Unix seconds. */
  readonly at: number
  /** How far it is trusted; where samples of several ranks hold, the highest counts. */
  readonly rank: number
  readonly measures: BookMeasures
}

export interface HeldMeasures extends Span {
  readonly rank: number
  readonly measures: BookMeasures
}

/**
 * Spans covered by samples of one venue and one source. A sample is valid until the next one, at
 * most `mostSeconds`. Samples of a lower rank only fill spans without a higher rank. So
 * self-reported data cannot appear between two observed samples.
 *
 * @param samples at most one per rank and moment
 * @param mostSeconds above zero
 * @returns ascending, without overlap
 */
export function holdSamples(
  samples: readonly TimedMeasures[],
  mostSeconds: number,
): HeldMeasures[] {
  const ranks = [...new Set(samples.map(({ rank }) => rank))].sort((a, b) => b - a)
  let held: HeldMeasures[] = []
  for (const rank of ranks) {
    const ofRank = samples.filter((sample) => sample.rank === rank).sort((a, b) => a.at - b.at)
    const spans = ofRank.map(({ at, measures }, place): HeldMeasures => {
      const next = ofRank[place + 1]?.at ?? Number.POSITIVE_INFINITY
      return { from: at, to: Math.min(next, at + mostSeconds), rank, measures }
    })
    held = [...held, ...without(spans, held)].sort((a, b) => a.from - b.from)
  }
  return held
}

/** Subtracts spans from spans; both ascending and without overlap. */
function without<S extends Span>(spans: readonly S[], others: readonly Span[]): S[] {
  const left: S[] = []
  let place = 0
  for (const span of spans) {
    while (place < others.length && others[place]!.to <= span.from) place += 1
    let { from } = span
    for (let next = place; next < others.length && others[next]!.from < span.to; next += 1) {
      const other = others[next]!
      if (other.from > from) left.push({ ...span, from, to: other.from })
      from = Math.max(from, other.to)
    }
    if (from < span.to) left.push({ ...span, from })
  }
  return left
}

/** Spans as a set: sorted, cut to a window, and joined where they touch. */
export function cutSpans(spans: readonly Span[], window: Span): Span[] {
  const cut = spans
    .map(({ from, to }) => ({ from: Math.max(from, window.from), to: Math.min(to, window.to) }))
    .filter(({ from, to }) => from < to)
    .sort((a, b) => a.from - b.from)
  const joined: Span[] = []
  for (const span of cut) {
    const last = joined.at(-1)
    if (last && span.from <= last.to) {
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
    } else joined.push(span)
  }
  return joined
}

export const secondsOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { from, to }) => sum + to - from, 0)

/** A span with constant values; null for an unknown book. */
export interface Stretch extends Span {
  /** Measures over all venues. */
  readonly measured: BookMeasures | null
  /** The public book for comparison. */
  readonly beside: BookMeasures | null
  /** The lowest rank of all sources in use; null without data. */
  readonly rank: number | null
}

/**
 * History of several venues through a window. If one venue is unknown, the whole span is a data
 * gap.
 *
 * @param measured spans per venue, at least one venue
 * @param beside public books of the same venues if a metric compares with them; otherwise empty
 * @param excluded periods that do not count
 */
export function courseOf(
  {
    measured,
    beside,
  }: {
    readonly measured: readonly (readonly HeldMeasures[])[]
    readonly beside: readonly (readonly HeldMeasures[])[]
  },
  window: Span,
  excluded: readonly Span[],
): Stretch[] {
  const lists = [...measured, ...beside]
  const away = cutSpans(excluded, window)
  const ends = [...lists.flat(), ...away].flatMap(({ from, to }) => [from, to])
  const inside = ends.filter((at) => at > window.from && at < window.to)
  const edges = [...new Set([window.from, ...inside, window.to])].sort((a, b) => a - b)
  const cursors = lists.map(() => 0)
  const at = (list: number, moment: number): HeldMeasures | null => {
    const spans = lists[list]!
    while (cursors[list]! < spans.length && spans[cursors[list]!]!.to <= moment) cursors[list]! += 1
    const span = spans[cursors[list]!]
    return span && span.from <= moment ? span : null
  }
  const stretches: Stretch[] = []
  let next = 0
  for (let edge = 0; edge + 1 < edges.length; edge += 1) {
    const [from, to] = [edges[edge]!, edges[edge + 1]!]
    while (next < away.length && away[next]!.to <= from) next += 1
    const known = lists.map((_, list) => at(list, from))
    if (next < away.length && away[next]!.from <= from) continue
    stretches.push({
      from,
      to,
      measured: joined(known.slice(0, measured.length)),
      beside: joined(known.slice(measured.length)),
      rank: lowestRank(known),
    })
  }
  return stretches
}

function joined(spans: readonly (HeldMeasures | null)[]): BookMeasures | null {
  const known = spans.filter((span) => span !== null)
  if (known.length === 0 || known.length < spans.length) return null
  return joinMeasures(known.map(({ measures }) => measures))
}

function lowestRank(spans: readonly (HeldMeasures | null)[]): number | null {
  const ranks = spans.flatMap((span) => (span === null ? [] : [span.rank]))
  return ranks.length === 0 ? null : Math.min(...ranks)
}
