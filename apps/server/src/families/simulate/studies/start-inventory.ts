import type { contract } from '@liquidity-os/contract'

type Spec = contract.SimulationStudy['spec']
type Capital = Spec['capital']

/** The study of a candidate, as far as its starting inventory depends on it. */
export interface StartedStudy {
  readonly spec: Pick<Spec, 'arms' | 'capital'>
  readonly result: Pick<contract.StudyResult, 'startPriceX18' | 'endPriceX18' | 'startValueQuote'>
}

const x18 = 10n ** 18n
const rebalancingBenchmark = 'benchmark-rebalancing'

/**
 * True if the candidate keeps one position, or none, from start to end. The inventory effect of its
 * breakdown then is exactly that of its starting inventory.
 */
export function isUnmoved(
  armId: string,
  spec: { readonly arms: readonly { readonly armId: string }[] },
): boolean {
  const declared = spec.arms.find((arm) => arm.armId === armId)
  return declared ? 'position' in declared : armId !== rebalancingBenchmark
}

/**
 * P&L of HODL of a candidate's starting inventory, quote atoms:
 *
 *     x₀·P₁ − x₀·P₀ = hold + (x₀ − B)·(P₁ − P₀)
 *
 * with x₀ base in the starting inventory and B base in the capital. New results state it for each
 * candidate that changes its inventory. Earlier results allow to compute it for AS_GIVEN capital,
 * for a single position and for the rebalancing portfolio.
 *
 * @returns null if an earlier result does not contain the starting inventory
 */
export function hodlPnlOfReplay(arm: contract.ArmResult, study: StartedStudy): bigint | null {
  const { hold, exposureDrift } = arm.waterfallHolder
  if (arm.hodlPnl !== undefined) return BigInt(arm.hodlPnl)
  if (isUnmoved(arm.armId, study.spec)) return BigInt(hold) + BigInt(exposureDrift)
  const start = startBaseOf(arm, study)
  if (start === null) return null
  const capital = BigInt(study.spec.capital.base)
  // The HODL P&L of the capital has all digits; the stored prices have 18 decimals.
  if (capital > 0n) return (BigInt(hold) * start) / capital
  const { startPriceX18, endPriceX18 } = study.result
  if (startPriceX18 === null || endPriceX18 === null) return null
  return (start * (BigInt(endPriceX18) - BigInt(startPriceX18))) / x18
}

/** Base in the starting inventory of a candidate that changes its inventory. */
function startBaseOf(arm: contract.ArmResult, study: StartedStudy): bigint | null {
  const { capital } = study.spec
  if (arm.armId === rebalancingBenchmark) return halfInBase(study)
  if (capital.normalization === 'AS_GIVEN') return BigInt(capital.base)
  if (arm.position === null) return null
  const { deposited, idle } = arm.position
  return BigInt(deposited.base) + BigInt(idle.base)
}

/** The rebalancing portfolio starts with half of the value of the capital in base. */
function halfInBase({ spec: { capital }, result }: StartedStudy): bigint | null {
  const { startPriceX18, startValueQuote } = result
  const price = BigInt(startPriceX18 ?? 0)
  if (price === 0n) return null
  return ((capitalValue(capital, price, startValueQuote) / 2n) * x18) / price
}

function capitalValue(capital: Capital, price: bigint, stated: string | null | undefined): bigint {
  if (stated) return BigInt(stated)
  return (BigInt(capital.base) * price) / x18 + BigInt(capital.quote)
}

/** A share that multiplies the HODL P&L of the capital. */
export interface HoldScale {
  readonly start: bigint
  readonly capital: bigint
}

/**
 * HODL of the starting inventory of a simulated candidate as a multiple of HODL of the capital. Both
 * change with the price of a path alone.
 *
 * @returns null if it is unknown: the result is of an earlier release, or the capital has no base
 */
export function holdScaleOf(
  { armId, startInventory }: contract.SimulatedArmResult,
  study: StartedStudy,
): HoldScale | null {
  const { capital } = study.spec
  const base = BigInt(capital.base)
  const start = startInventory
    ? BigInt(startInventory.base)
    : armId === rebalancingBenchmark
      ? halfInBase(study)
      : capital.normalization === 'AS_GIVEN'
        ? base
        : null
  if (start === null) return null
  if (start === base) return { start: 1n, capital: 1n }
  return base === 0n ? null : { start, capital: base }
}

/** A price in quote atoms per base atom. */
interface Price {
  readonly num: bigint
  readonly den: bigint
}

export interface ExactPrices {
  readonly start: Price
  readonly end: Price
}

/**
 * P&L of HODL of the starting inventory of a run of the engine, quote atoms. Values are rounded as
 * in the breakdown: down, also below zero.
 */
export function exactHodlPnl(
  {
    opening: { deposited, idle },
    waterfallHolder: { hold },
  }: {
    readonly opening: Readonly<Record<'deposited' | 'idle', { readonly base: string }>>
    readonly waterfallHolder: { readonly hold: string }
  },
  capital: { readonly base: string },
  { start, end }: ExactPrices,
): bigint {
  const shift = BigInt(deposited.base) + BigInt(idle.base) - BigInt(capital.base)
  return BigInt(hold) + valueAt(shift, end) - valueAt(shift, start)
}

function valueAt(base: bigint, { num, den }: Price): bigint {
  const product = base * num
  return product / den - (product % den < 0n ? 1n : 0n)
}
