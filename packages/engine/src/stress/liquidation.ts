import type { ExitCost } from './pool-exit.ts'
import { squareRootImpact } from './square-root-impact.ts'

/** A quantity of one asset that is sold from a day on. */
export interface ExitLot {
  /** Atoms. */
  readonly quantity: bigint
  /** Quote atoms per atom, times 10^36. */
  readonly priceX36: bigint
  /** Another price from a day on. */
  readonly recovery: { readonly fromDay: number; readonly priceX36: bigint } | null
  /** First possible sale day, from 0; null if never. */
  readonly fromDay: number | null
}

/** How an asset is sold. */
export interface ExitTerms {
  readonly days: number
  /** Most of a day's volume that may be sold, millionths. */
  readonly participationPips: number
  /** Constant of the square-root law. */
  readonly y: number
  /** ADV in atoms and σ_d as a share; null without observations. */
  readonly volume: { readonly daily: bigint; readonly volatility: number } | null
  readonly poolCost: ExitCost | null
  /** How many atoms of a sale the pools take; null if they take any number. */
  readonly poolTakes: ((quantity: bigint) => bigint) | null
}

export interface ExitedLot {
  readonly unsold: bigint
  /** Sold amount at the price of its day before any cost, rounded down each day. */
  readonly soldQuote: bigint
  /** Proceeds after cost, rounded down each day. */
  readonly realisedQuote: bigint
  readonly lastDay: number | null
}

const ONE_X18 = 10n ** 18n
const ONE_X36 = 10n ** 36n
const MILLION = 1_000_000n

/**
 * Sells lots of one asset evenly over their available days. A remainder stays unsold.
 *
 * With an observed volume, all lots together sell at most the participation rate per day, and the
 * pools refill between days. The daily cost is the larger of
 *
 *     Y·σ_d·√(n/ADV)   and   the exact pool cost of n
 *
 * as a share of the price, at most 100 %, rounded up to 10^−18. Without a volume, no refill is
 * assumed, so the whole sale moves along the pools' curve once. A day costs the pools' charge for
 * the cumulative sale minus the previous charge. Sales stop at the pools' capacity. Without volume
 * and pools no sale happens. Amounts are exact and rounded down.
 *
 * The law is an average over orders of at most a few tenths of a day's volume.
 *
 * @see Tóth et al., “Anomalous price impact and the critical nature of liquidity” (2011), for the
 * law
 */
export function sellLots(lots: readonly ExitLot[], terms: ExitTerms): ExitedLot[] {
  const { days, volume, poolCost } = terms
  const course = lots.map(({ quantity }) => ({
    left: quantity,
    soldQuote: 0n,
    realisedQuote: 0n,
    lastDay: null as number | null,
  }))
  const hasExit = volume !== null || poolCost !== null
  let before = 0n
  for (let day = 0; hasExit && day < days; day++) {
    const wanted = lots.map((lot) => evenPart(lot, day, days))
    const whole = wanted.reduce((sum, one) => sum + one, 0n)
    const most = mostOfDay(terms, before, whole)
    const isCapped = most !== null && whole > most
    const sold = isCapped ? wanted.map((one) => (one * most) / whole) : wanted
    const together = sold.reduce((sum, one) => sum + one, 0n)
    if (together === 0n) continue
    const keptX18 =
      volume === null && poolCost !== null
        ? keptAfter(poolCost, before, together)
        : ONE_X18 - dayCostX18(together, terms)
    before += together
    for (const [place, atoms] of sold.entries()) {
      // A course per lot.
      const [lot, found] = [lots[place]!, course[place]!]
      if (atoms === 0n) continue
      const { recovery } = lot
      const price = recovery !== null && day >= recovery.fromDay ? recovery.priceX36 : lot.priceX36
      found.left -= atoms
      found.soldQuote += (atoms * price) / ONE_X36
      found.realisedQuote += (atoms * price * keptX18) / (ONE_X36 * ONE_X18)
      found.lastDay = day
    }
  }
  return course.map(({ left, ...found }) => ({ unsold: left, ...found }))
}

/** Maximum sale on a day, after the sales of earlier days; null without a cap. */
function mostOfDay(
  { volume, participationPips, poolTakes }: ExitTerms,
  before: bigint,
  wanted: bigint,
): bigint | null {
  if (volume !== null) return (volume.daily * BigInt(participationPips)) / MILLION
  if (poolTakes === null) return null
  const room = poolTakes(before + wanted) - before
  return room > 0n ? room : 0n
}

/** Share of the price that is left of a quantity which is sold behind another one along the same curve, times 10^18. */
function keptAfter(poolCost: ExitCost, before: bigint, quantity: bigint): bigint {
  const received = (sold: bigint) => sold * (ONE_X18 - poolCost(sold))
  const kept = (received(before + quantity) - received(before)) / quantity
  return kept < 0n ? 0n : kept < ONE_X18 ? kept : ONE_X18
}

/** Sale of a lot on a day without a cap; the daily parts sum to the whole lot. */
function evenPart({ quantity, fromDay }: ExitLot, day: number, days: number): bigint {
  if (fromDay === null || day < fromDay) return 0n
  const open = BigInt(days - fromDay)
  const passed = BigInt(day - fromDay)
  return (quantity * (passed + 1n)) / open - (quantity * passed) / open
}

/** Share of the price that a day's sale costs, times 10^18. */
export function dayCostX18(
  quantity: bigint,
  { volume, poolCost, y }: Pick<ExitTerms, 'volume' | 'poolCost' | 'y'>,
): bigint {
  const byLaw =
    volume === null || volume.daily === 0n
      ? 0
      : squareRootImpact(Number(quantity), Number(volume.daily), volume.volatility, y)
  const law = byLaw >= 1 ? ONE_X18 : BigInt(Math.ceil(byLaw * 1e18))
  const pools = poolCost?.(quantity) ?? 0n
  const dearer = law > pools ? law : pools
  return dearer < ONE_X18 ? dearer : ONE_X18
}
