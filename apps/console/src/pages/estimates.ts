import type { Job } from '../api/records.ts'

/** Low and high, quote atoms. */
export type Interval = readonly [low: bigint, high: bigint]

/** The displayed part of the interim results of a running study job. */
export interface Estimates {
  paths: { done: number; most: number }
  halfWidthPips: { asked: number; reached: number }
  arms: readonly {
    armId: string
    netVsHold: { mean: string; interval: readonly [string, string] | null }
  }[]
}

/** A candidate of a Monte Carlo result; a replay has no such mean. */
export interface PathArm {
  armId: string
  netVsHold?: { mean: string; meanCi95: readonly [string, string] }
}

/** Number of intervals shown above the newest. */
const maxEarlier = 6

/** Distinct looks in the job events, one per number of paths, oldest first. */
export function looksIn(jobs: readonly Pick<Job, 'preliminary'>[]): Estimates[] {
  const byPaths = new Map<number, Estimates>()
  for (const { preliminary } of jobs) {
    const estimates = preliminary as Estimates | undefined
    if (estimates) byPaths.set(estimates.paths.done, estimates)
  }
  return [...byPaths.values()].toSorted((a, b) => a.paths.done - b.paths.done)
}

const intervalOf = (bounds: readonly [string, string] | null): Interval | null =>
  bounds && [BigInt(bounds[0]), BigInt(bounds[1])]

/**
 * The newest look per arm, with the intervals of earlier looks. Arms without a label were not
 * requested and are omitted.
 *
 * @param looks at least one, oldest first
 */
export function rowsOfLooks(
  looks: readonly Estimates[],
  labels: ReadonlyMap<string, string>,
): ArmRow[] {
  const newest = looks.at(-1)
  return (newest?.arms ?? []).flatMap(({ armId, netVsHold }) => {
    const label = labels.get(armId)
    if (label === undefined) return []
    const earlier = looks.slice(-1 - maxEarlier, -1).flatMap(({ arms }) => {
      const before = arms.find((one) => one.armId === armId)?.netVsHold.interval ?? null
      return intervalOf(before) === null ? [] : [intervalOf(before) as Interval]
    })
    const interval = intervalOf(netVsHold.interval)
    return [{ armId, label, mean: BigInt(netVsHold.mean), interval, earlier }]
  })
}

/** The same for a final path result, whose intervals belong to one look. Empty for a replay. */
export function rowsOfResult(
  arms: readonly PathArm[],
  labels: ReadonlyMap<string, string>,
): ArmRow[] {
  return arms.flatMap(({ armId, netVsHold }) => {
    const label = labels.get(armId)
    if (label === undefined || netVsHold?.meanCi95 === undefined) return []
    const [low, high] = netVsHold.meanCi95
    const interval = low === high ? null : intervalOf(netVsHold.meanCi95)
    return [{ armId, label, mean: BigInt(netVsHold.mean), interval, earlier: [] }]
  })
}

/** Positions from 4 to 96 of all values and zero, on one line. */
export function scaleOf(values: readonly bigint[]): (value: bigint) => number {
  const all = [0n, ...values].map(Number)
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const span = high - low || 1
  // Earlier intervals can exceed the current scale, so they are clipped.
  return (value) => Math.min(100, Math.max(0, 4 + (92 * (Number(value) - low)) / span))
}

/** An arm with its mean and interval, and the intervals of earlier looks. */
export interface ArmRow {
  armId: string
  label: string
  mean: bigint
  /** Null if all paths are equal. */
  interval: Interval | null
  earlier: readonly Interval[]
}
