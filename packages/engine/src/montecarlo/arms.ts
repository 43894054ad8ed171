import { MAX_TICK } from '../amm/v3/tick-math.ts'
import { integerSquareRoot, type Rat } from '../arithmetic/integer.ts'
import { quoteValue } from '../depth/value.ts'
import type { Holdings, StudyCapital } from '../study/arm.ts'
import type { ArmDesk } from './arm-desk.ts'
import type { MarketSession, TickRange } from './market-session.ts'

/** View of an arm that may act: the end of a step, without any future data. */
export interface StepView {
  readonly step: number
  readonly seconds: number
  /** External price of the step, quote per base. */
  readonly reference: Rat
}

/**
 * A candidate. A static arm opens its positions and then stays passive. A strategy acts after every
 * step through its desk, which pays for and records all actions.
 */
export interface MonteCarloArm {
  readonly armId: string
  /** Whether it needs a separate market; HODL does not. */
  readonly usesMarket: boolean
  /** Routine action after every step, if known in advance. Lets the compiled engine do the same. */
  readonly routine?: 'REBALANCE'
  /** Share of base that it steers to; absent for an arm without such an aim. */
  readonly targetBaseSharePips?: number
  /** Inventory it begins with, of the same worth as the capital unless that is AS_GIVEN. */
  start(session: MarketSession | null, capital: StudyCapital, price: Rat): Holdings
  /** Opens its positions. */
  open(desk: ArmDesk): void
  onStep?(view: StepView, desk: ArmDesk): void
}

/** The HODL benchmark: leaves the capital unchanged. */
export function holdArm(armId: string): MonteCarloArm {
  return {
    armId,
    usesMarket: false,
    start: (_, { base, quote }) => ({ base, quote }),
    open: () => {},
  }
}

/** One position that stays: in v3 a range of ticks, in v2 the whole curve. */
export function rangeArm(armId: string, range: TickRange): MonteCarloArm {
  return {
    armId,
    usesMarket: true,
    start: (session, capital, price) => inventoryFor(session, range, capital, price),
    open: (desk) => {
      // An arm that uses the market has one.
      const session = desk.session!
      desk.open(range, session.liquidityFor(range, desk.idle))
      desk.payGas('MINT')
    },
  }
}

/** The whole curve: full range in v3, a plain share in v2. */
export function fullRangeArm(armId: string, tickSpacing: number): MonteCarloArm {
  const highest = Math.floor(MAX_TICK / tickSpacing) * tickSpacing
  return rangeArm(armId, { tickLower: -highest, tickUpper: highest })
}

/**
 * The rebalancing portfolio: it holds the inventory of a full-range position, but trades at the
 * reference price without fee or slippage. Its base is in proportion to 1/√P. A position's
 * shortfall against it is the loss versus rebalancing.
 *
 * @see Milionis, Moallemi, Roughgarden, Zhang, “Automated market making and
 * loss-versus-rebalancing” (2022)
 */
export function rebalancingArm(armId: string): MonteCarloArm {
  let initial: { base: bigint; price: Rat } | null = null
  return {
    armId,
    usesMarket: false,
    routine: 'REBALANCE',
    start: (_, capital, price) => {
      const half = halfInBase(capital, price)
      initial = { base: half.base, price }
      return half
    },
    open: () => {},
    onStep: ({ reference }, desk) => {
      if (initial === null) return
      const { base, price } = initial
      const square = (base * base * price.num * reference.den) / (price.den * reference.num)
      const change = integerSquareRoot(square) - desk.idle.base
      if (change !== 0n) desk.exchangeAtReference(change)
    },
  }
}

/** Splits a capital's worth into halves of base and quote at a price. */
function halfInBase(capital: Holdings, price: Rat): Holdings {
  const worth = quoteValue(capital.base, price) + capital.quote
  const base = ((worth / 2n) * price.den) / price.num
  return { base, quote: worth - quoteValue(base, price) }
}

/**
 * The initial inventory of a range. AS_GIVEN leaves the capital unchanged. EQUAL_VALUE converts it
 * at the start price, without cost, to the token ratio of the range.
 */
export function inventoryFor(
  session: MarketSession | null,
  range: TickRange,
  capital: StudyCapital,
  price: Rat,
): Holdings {
  const { base, quote, normalization } = capital
  if (normalization === 'AS_GIVEN' || session === null) return { base, quote }
  const budget = quoteValue(base, price) + quote
  const trial = 1n << 100n
  const needs = session.costOf(range, trial)
  const cost = quoteValue(needs.base, price) + needs.quote
  if (cost === 0n) return { base, quote }
  const wanted = (needs.base * budget) / cost
  return { base: wanted, quote: budget - quoteValue(wanted, price) }
}
