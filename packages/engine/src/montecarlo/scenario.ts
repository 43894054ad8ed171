import { DAY_SECONDS, HOUR_SECONDS } from '../arithmetic/time-units.ts'
/** A point of a scenario; between two points everything goes straight. */
export interface ScenarioPoint {
  /** Seconds since the start. */
  readonly t: number
  /** External price over that of the path, in pips; default 1,000,000. */
  readonly priceRatioPips?: number
  /** Volume over that of the path; default 1,000,000. Applies until the next point. */
  readonly volumeRatioPips?: number
  /** Share of their liquidity that others take out at this moment; default 0. */
  readonly lpExitPips?: number
  /** Price of the quote in its peg currency, pips; default 1,000,000. */
  readonly quotePegPips?: number
}

/** Base sold evenly by someone who has to. */
export interface ForcedSale {
  readonly base: bigint
  readonly fromSeconds: number
  readonly seconds: number
}

export interface Scenario {
  /** Ascending in time. */
  readonly points: readonly ScenarioPoint[]
  readonly sale?: ForcedSale
}

const PAR = 1_000_000

/** Half of the price gone within a day, and it stays there. */
export function crash50In24h(): Scenario {
  return { points: [{ t: 0 }, { t: DAY_SECONDS, priceRatioPips: 500_000 }] }
}

/** Four fifths of the liquidity of others leave after an hour. */
export function lpExit80(): Scenario {
  return { points: [{ t: 0 }, { t: HOUR_SECONDS, lpExitPips: 800_000 }] }
}

/** The quote loses 5 % within six hours and recovers within three days. */
export function quoteDepeg5(): Scenario {
  const low = { quotePegPips: 950_000 }
  return {
    points: [
      { t: 0 },
      { t: 6 * HOUR_SECONDS, ...low },
      { t: 2 * DAY_SECONDS, ...low },
      { t: 3 * DAY_SECONDS },
    ],
  }
}

/** Ten times the volume for a day. */
export function volumeX10(): Scenario {
  return { points: [{ t: 0, volumeRatioPips: 10 * PAR }, { t: DAY_SECONDS }] }
}

/** A holder sells what was unlocked, evenly. */
export function unlockSell(base: bigint, seconds: number): Scenario {
  return { points: [{ t: 0 }], sale: { base, fromSeconds: 0, seconds } }
}

/** Effects of a scenario on one step. */
export interface ScenarioStep {
  /** Factor on the external price at the end of the step, the quote's own price included. */
  readonly priceFactor: number
  readonly volumeFactor: number
  readonly lpExitPips: number
  readonly saleBase: bigint
}

/**
 * A scenario step by step: price and peg interpolated, volume in stairs, exits and sales in the step they
 * fall into. A quote below its peg makes everything dearer in it.
 *
 * @returns steps + 1 entries; entry 0 is the start
 */
export function scenarioSteps(
  scenario: Scenario,
  steps: number,
  stepSeconds: number,
): ScenarioStep[] {
  const { points, sale } = scenario
  return Array.from({ length: steps + 1 }, (_, step) => {
    const time = step * stepSeconds
    const from = time - stepSeconds
    const price = interpolate(points, time, (p) => p.priceRatioPips ?? PAR)
    const peg = interpolate(points, time, (p) => p.quotePegPips ?? PAR)
    const stair = points.findLast((p) => p.t <= from) ?? points[0]
    const exits = points.filter((p) => p.t > from && p.t <= time && (p.lpExitPips ?? 0) > 0)
    return {
      priceFactor: price / peg,
      volumeFactor: (stair?.volumeRatioPips ?? PAR) / PAR,
      lpExitPips: exits.reduce((gone, p) => gone + ((PAR - gone) * p.lpExitPips!) / PAR, 0),
      saleBase: sale === undefined ? 0n : soldUntil(sale, time) - soldUntil(sale, from),
    }
  })
}

function soldUntil({ base, fromSeconds, seconds }: ForcedSale, time: number): bigint {
  const passed = Math.min(Math.max(time - fromSeconds, 0), seconds)
  return (base * BigInt(Math.floor(passed))) / BigInt(seconds)
}

function interpolate(
  points: readonly ScenarioPoint[],
  time: number,
  read: (point: ScenarioPoint) => number,
): number {
  const before = points.findLast((point) => point.t <= time)
  const after = points.find((point) => point.t > time)
  if (before === undefined) return after === undefined ? PAR : read(after)
  if (after === undefined) return read(before)
  return read(before) + ((read(after) - read(before)) * (time - before.t)) / (after.t - before.t)
}
