import { DAY_SECONDS, HOUR_SECONDS } from '../arithmetic/time-units.ts'
import { magnitude } from './median-deviation.ts'

/** A trade of a party on one venue. */
export interface PartyLeg {
  /** Unix seconds. */
  readonly at: number
  /** Base atoms: above zero bought, below sold. */
  readonly base: bigint
  /** Quote atoms of the other side, fee included, above zero. */
  readonly volumeQuote: bigint
}

/** Most legs of one run: what closes after more of them closes by chance. */
const MOST_LEGS = 16
/** A run is closed that leaves at most this part of its mean leg, */
const CLOSED = 20n
/** and closed to the crumb at this part. */
const CRUMB = 1_000n
/** Who got this part of what he traded more than he paid had a reason to trade. */
const GAIN = 2_000n

/** Neighbouring legs of a party that end where they began. */
export interface ClosedRun<Leg> {
  readonly legs: readonly Leg[]
  readonly volumeQuote: bigint
  readonly isToTheCrumb: boolean
  /** Quote atoms got less those paid, what is left over taken at what the run paid on average, rounded to nothing. */
  readonly gained: bigint
}

/**
 * Runs in which a party has traded with itself: neighbouring legs within an hour that end where they began and gained it
 * nothing.
 *
 * A run is closed when |Σ base| is at most a twentieth of its mean leg, which is much less of a long run than of a short
 * one, since the longer a run the likelier it passes its begin by chance. The runs of a session (legs less than an hour
 * apart) count where they are at least three fifths of its volume; beside other trades only those that close to a
 * thousandth of a leg. They do not count where together they gained more than half a thousandth of their volume: a washer
 * pays the fee of every leg, and who gains carries prices.
 *
 * @param legs of one party on one venue, in the order of time
 */
export function findClosedRuns<Leg extends PartyLeg>(legs: readonly Leg[]): ClosedRun<Leg>[] {
  return sessionsOf(legs).flatMap((session) => {
    const closed = runsIn(session, CLOSED)
    const counted = areMost(closed, session)
      ? closed
      : closed.filter(({ isToTheCrumb }) => isToTheCrumb)
    return haveGained(counted) ? [] : counted
  })
}

/**
 * As `findClosedRuns` for those who may be strangers to each other: only runs that close to a thousandth of a leg, and only
 * where at least three fifths of all that is given does, which the sizes of strangers do not.
 *
 * @param legs of all who used one contract on one venue, in the order of time
 */
export function findRunsToTheCrumb<Leg extends PartyLeg>(legs: readonly Leg[]): ClosedRun<Leg>[] {
  const closed = runsIn(legs, CRUMB)
  return areMost(closed, legs) && !haveGained(closed) ? closed : []
}

/**
 * Legs of runs that are a pattern: of three and more, or of two where another run began within a day. Who buys and sells
 * once has changed his mind.
 *
 * @param runs in the order in which they began
 */
export function legsOfPattern<Leg extends PartyLeg>(runs: readonly ClosedRun<Leg>[]): Leg[] {
  const at = (place: number) => runs[place]?.legs[0]?.at ?? Number.NaN
  const hasNeighbour = (place: number) =>
    at(place) - at(place - 1) <= DAY_SECONDS || at(place + 1) - at(place) <= DAY_SECONDS
  return runs.flatMap(({ legs }, place) => (legs.length > 2 || hasNeighbour(place) ? legs : []))
}

/** Quote atoms that were traded. */
export function volumeOf(legs: readonly { readonly volumeQuote: bigint }[]): bigint {
  return legs.reduce((sum, { volumeQuote }) => sum + volumeQuote, 0n)
}

const areMost = (runs: readonly { volumeQuote: bigint }[], all: readonly PartyLeg[]) =>
  volumeOf(runs) * 5n >= volumeOf(all) * 3n

function haveGained(runs: readonly ClosedRun<unknown>[]): boolean {
  return runs.reduce((sum, { gained }) => sum + gained, 0n) * GAIN > volumeOf(runs)
}

function sessionsOf<Leg extends PartyLeg>(legs: readonly Leg[]): Leg[][] {
  const sessions: Leg[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const leg of legs) {
    if (leg.at - last >= HOUR_SECONDS) sessions.push([leg])
    else sessions.at(-1)!.push(leg)
    last = leg.at
  }
  return sessions
}

/** The shortest closed run from every leg on that is in none before. */
function runsIn<Leg extends PartyLeg>(legs: readonly Leg[], part: bigint): ClosedRun<Leg>[] {
  const runs: ClosedRun<Leg>[] = []
  let from = 0
  while (from < legs.length) {
    const run = runFrom(legs, from, part)
    if (run !== null) runs.push(run)
    from += run?.legs.length ?? 1
  }
  return runs
}

function runFrom<Leg extends PartyLeg>(
  legs: readonly Leg[],
  from: number,
  part: bigint,
): ClosedRun<Leg> | null {
  let [net, gross, paid, volume] = [0n, 0n, 0n, 0n]
  const end = Math.min(legs.length, from + MOST_LEGS)
  for (let place = from; place < end; place += 1) {
    const { at, base, volumeQuote } = legs[place]!
    if (at - legs[from]!.at > HOUR_SECONDS) return null
    net += base
    gross += magnitude(base)
    volume += volumeQuote
    paid += base < 0n ? -volumeQuote : volumeQuote
    const count = BigInt(place - from + 1)
    if (count === 1n || magnitude(net) * part * count > gross) continue
    return {
      legs: legs.slice(from, place + 1),
      volumeQuote: volume,
      isToTheCrumb: magnitude(net) * CRUMB * count <= gross,
      gained: (net * volume) / gross - paid,
    }
  }
  return null
}
