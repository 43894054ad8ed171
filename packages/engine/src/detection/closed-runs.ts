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

/** Maximum legs of one run. A longer run can close by chance. */
const MOST_LEGS = 16
/** A run is closed that leaves at most this part of its mean leg, */
const CLOSED = 20n
/** and closed to the crumb at this part. */
const CRUMB = 1_000n
/**
 * Gain threshold, as the inverse of a share of the volume. A party that gains more had an economic
 * reason to trade.
 */
const GAIN = 2_000n

/** Neighbouring legs of a party that end where they began. */
export interface ClosedRun<Leg> {
  readonly legs: readonly Leg[]
  readonly volumeQuote: bigint
  readonly isToTheCrumb: boolean
  /**
   * Quote atoms received minus paid. The leftover base is valued at the run's average price,
   * rounded toward zero.
   */
  readonly gained: bigint
}

/**
 * Runs of self-trading by one party: consecutive legs within an hour that return to the starting
 * inventory without a gain.
 *
 * A run is closed if |Σ base| is at most a twentieth of its mean leg. This is a stricter limit for
 * long runs, which pass their start more often by chance. Legs less than an hour apart form a
 * session. The runs of a session count if they make at least three fifths of its volume. Otherwise
 * only runs that close to a thousandth of a leg count. Runs with a total gain above half a
 * thousandth of their volume do not count. A wash trader pays the fee of every leg; a party with a
 * gain is an arbitrageur.
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
 * Like `findClosedRuns`, for legs of possibly unrelated parties. Accepts only runs that close to a
 * thousandth of a leg and make at least three fifths of the volume. Trade sizes of unrelated
 * parties do not match this well.
 *
 * @param legs of all users of one contract on one venue, in the order of time
 */
export function findRunsToTheCrumb<Leg extends PartyLeg>(legs: readonly Leg[]): ClosedRun<Leg>[] {
  const closed = runsIn(legs, CRUMB)
  return areMost(closed, legs) && !haveGained(closed) ? closed : []
}

/**
 * Legs of runs that form a pattern: three or more legs, or two legs with another run within a day.
 * A single buy and sell can be a change of mind.
 *
 * @param runs sorted by start
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
