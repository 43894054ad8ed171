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

/** A span through which a sample holds. */
export interface HeldMeasures extends Span {
  readonly rank: number
  readonly measures: BookMeasures
}

/**
 * Spans through which samples of one venue and one source hold: each until the next, and for at most `mostSeconds`. Samples of
 * a lower rank hold only where none of a higher does, so that nobody puts a word of his own between two that were seen.
 *
 * @param samples     of one rank at one moment at most one
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

/** What is left of spans outside of others; both ascending and without overlap. */
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

/** A span through which nothing changes; null where a book is not known. */
export interface Stretch extends Span {
  /** What is measured, of all venues together. */
  readonly measured: BookMeasures | null
  /** The public book beside it. */
  readonly beside: BookMeasures | null
  /** The lowest rank of all that is known of it; null where nothing is. */
  readonly rank: number | null
}

/**
 * The course of some venues through a window. Several venues are known together or not at all: where one of them is not, all are
 * a gap.
 *
 * @param measured spans of each venue, at least one venue
 * @param beside   public books of the same venues, where a metric compares with them; else none
 * @param excluded times that count for nothing
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
