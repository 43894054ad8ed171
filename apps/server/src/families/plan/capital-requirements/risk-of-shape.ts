import type { Rat } from '@liquidity-os/engine/arithmetic'
import {
  breakEvenDailyVolume,
  expectedExitYears,
  feeFactor,
  type Inventory,
  ladderInventory,
  lvrInRange,
  lvrShareOfWeightedPool,
  rangeSurvival,
  wholeCurveInventory,
} from '@liquidity-os/engine/capital'
import { toPips } from '@liquidity-os/engine/numerics'
import type { SolvedShape } from './solve-shape.ts'

export interface Risk {
  readonly lvrAnnualQuote: string | null
  readonly lvrWithFeesAnnualQuote: string | null
  readonly breakEvenDailyVolumeQuote: string | null
  readonly rangeSurvivalPips: number | null
  readonly expectedExitDaysX3: number | null
}

const unknown: Risk = {
  lvrAnnualQuote: null,
  lvrWithFeesAnnualQuote: null,
  breakEvenDailyVolumeQuote: null,
  rangeSurvivalPips: null,
  expectedExitDaysX3: null,
}

const ratio = ({ num, den }: Rat) => Number(num) / Number(den)
/** Against the issuer: a loss is rounded up. */
const upwards = (value: number) => BigInt(Math.ceil(value)).toString()

/**
 * Annual cost of volatility for a shape, and expected time in range. Empty for shapes without a
 * closed form. The loss after fees needs the time between blocks.
 */
export function riskOf(
  { request, inventory, liquidity, bands }: SolvedShape,
  price: Rat,
  annualVolatility: number | null,
  { blockSeconds, horizonDays }: { blockSeconds: number | null; horizonDays: number },
): Risk {
  if (annualVolatility === null) return unknown
  const { shape, feePips } = request
  const root = Math.sqrt(ratio(price))
  const inRange = bands
    ?.filter(({ lower, upper }) => ratio(lower) <= ratio(price) && ratio(price) < ratio(upper))
    .reduce((all, band) => all + Number(band.liquidity), 0)
  const loss =
    liquidity !== null || inRange !== undefined
      ? lvrInRange(annualVolatility, (inRange ?? Number(liquidity)) * root)
      : shape.kind === 'WEIGHTED'
        ? lvrShareOfWeightedPool(annualVolatility, shape.tokenWeightPips / 1e6) *
          Number(worthOf(inventory, price))
        : null
  if (loss === null) return unknown
  const fee = feePips / 1e6
  const ends = bands && {
    lower: Math.min(...bands.map(({ lower }) => ratio(lower))) / ratio(price),
    upper: Math.max(...bands.map(({ upper }) => ratio(upper))) / ratio(price),
  }
  const isAround = ends && ends.lower < 1 && ends.upper > 1
  return {
    lvrAnnualQuote: upwards(loss),
    lvrWithFeesAnnualQuote:
      blockSeconds === null ? null : upwards(loss * feeFactor(annualVolatility, fee, blockSeconds)),
    breakEvenDailyVolumeQuote: fee === 0 ? null : upwards(breakEvenDailyVolume(loss, fee)),
    rangeSurvivalPips: isAround
      ? toPips(rangeSurvival(ends.lower, ends.upper, annualVolatility, horizonDays / 365))
      : null,
    expectedExitDaysX3: isAround
      ? Math.round(expectedExitYears(ends.lower, ends.upper, annualVolatility) * 365_000)
      : null,
  }
}

/** Value of both amounts in quote, rounded down. */
export const worthOf = ({ token, quote }: Inventory, { num, den }: Rat): bigint =>
  (token * num) / den + quote

const moves = [-500_000, -200_000, -100_000, 100_000, 250_000, 1_000_000]
const million = 1_000_000n

/** Value at other prices relative to HODL; null without a closed form of the inventory. */
export function divergenceOf(
  { inventory, liquidity, bands }: SolvedShape,
  price: Rat,
): { movePips: number; versusHoldPips: number }[] | null {
  if (liquidity === null && bands === null) return null
  return moves.map((movePips) => {
    const there = { num: price.num * (million + BigInt(movePips)), den: price.den * million }
    const held = bands
      ? ladderInventory(there, bands)
      : wholeCurveInventory(there, liquidity as bigint)
    const [worth, hold] = [worthOf(held, there), worthOf(inventory, there)]
    return {
      movePips,
      versusHoldPips: hold === 0n ? 0 : Number((worth * million) / hold - million),
    }
  })
}
