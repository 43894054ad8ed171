import { DAY_SECONDS } from '../arithmetic/time-units.ts'
/** A vesting schedule in steps; times are unix seconds. */
export interface VestingSchedule {
  /** Atoms. */
  readonly total: bigint
  /** Free at the start. */
  readonly initial: bigint
  readonly startAt: number
  /** Vesting cliff: before it only the initial part is unlocked; default the start. */
  readonly cliffAt?: number
  readonly endAt: number
  /** Length of a step; 1 vests continuously. */
  readonly stepSeconds: number
  /**
   * If set, the elapsed share of time is first rounded down to multiples of 1 / precision, like in
   * fixed-point contracts.
   */
  readonly precision?: bigint
}

/**
 * Vested atoms, exact and rounded down.
 *
 *     0 before the start, `initial` until the cliff, `total` from the end, and between
 *     initial + ⌊(total − initial)·⌊(t − start)/step⌋·step / (end − start)⌋
 *
 * @throws RangeError for a schedule that ends before it begins or unlocks more than its total
 */
export function vestedAt(schedule: VestingSchedule, time: number): bigint {
  const { total, initial, startAt, cliffAt = startAt, endAt, stepSeconds } = schedule
  if (endAt < startAt || cliffAt < startAt || cliffAt > endAt || stepSeconds < 1) {
    throw new RangeError('a vesting schedule whose times are out of order')
  }
  if (initial < 0n || initial > total) throw new RangeError('an initial part above the total')
  if (time < startAt) return 0n
  if (time >= endAt) return total
  if (time < cliffAt) return initial
  const passed = Math.floor((time - startAt) / stepSeconds) * stepSeconds
  const [part, whole] = [BigInt(passed), BigInt(endAt - startAt)]
  const { precision } = schedule
  if (precision === undefined) return initial + ((total - initial) * part) / whole
  return initial + ((total - initial) * ((part * precision) / whole)) / precision
}

/** Atoms unlocked per day, from the start of `from` on. Excludes earlier unlocks. */
export function unlocksPerDay(schedule: VestingSchedule, from: number, days: number): bigint[] {
  let before = vestedAt(schedule, from - 1)
  return Array.from({ length: days }, (_, day) => {
    const after = vestedAt(schedule, from + (day + 1) * DAY_SECONDS - 1)
    const unlocked = after - before
    before = after
    return unlocked
  })
}
