import type { Market } from '../src/amm/market.ts'
import type { ArmDesk } from '../src/montecarlo/arm-desk.ts'
import type { MonteCarloArm } from '../src/montecarlo/arms.ts'
import { FREE_GAS, type GasModel } from '../src/montecarlo/gas.ts'
import { type ArmOutcome, runPath } from '../src/montecarlo/run-path.ts'
import type { StrategyDefinition } from '../src/strategy/definition.ts'
import { type StrategyTerms, strategyArm } from '../src/strategy/strategy-arm.ts'
import type { StudyCapital } from '../src/study/arm.ts'
import { newPool } from './monte-carlo-market.ts'

const one = 10n ** 18n
export const stepSeconds = 300

/** Inventory of an arm at the end of a step. */
export interface Seen {
  readonly ranges: readonly string[]
  readonly liquidity: bigint
  readonly idle: { readonly base: bigint; readonly quote: bigint }
  readonly done: Readonly<Record<string, number>>
  readonly refused: Readonly<Record<string, number>>
}

/** Runs a strategy along given prices, without noise, and looks at it after each step. */
export function runAlong(
  definition: StrategyDefinition,
  prices: readonly number[],
  change: {
    market?: Market
    terms?: Partial<StrategyTerms>
    capital?: Partial<StudyCapital>
    gas?: GasModel
    base?: 0 | 1
    flow?: boolean
  } = {},
): { outcome: ArmOutcome; seen: Seen[] } {
  const arm = strategyArm('strategy', definition, {
    actionLatencySeconds: 60,
    volatility: null,
    ...change.terms,
  })
  const seen: Seen[] = []
  const base = change.base ?? 0
  const [outcome] = runPath({
    s0: change.market ?? newPool({ feePips: 3000, ranges: true }),
    path: { price: Float64Array.from(prices), volume: null },
    arms: [watched(arm, seen)],
    flow: change.flow
      ? { tradesPerDay: 400, logMeanQuote: 45, logDeviation: 1, buyShare: 0.5 }
      : null,
    others: { kind: 'STATIC' },
    cfg: {
      seed: new Uint8Array(32).fill(7),
      orientation: { base, quote: 1 - base },
      stepSeconds,
      sampleEverySteps: prices.length,
      capital: {
        base: 1000n * one,
        quote: 1000n * one,
        normalization: 'EQUAL_VALUE',
        ...change.capital,
      },
      bandsPips: [],
      failure: [],
      gas: change.gas ?? FREE_GAS,
      minProfitQuote: 0n,
    },
    index: 0,
  })
  // One arm, one outcome.
  return { outcome: outcome!, seen }
}

function watched(arm: MonteCarloArm, seen: Seen[]): MonteCarloArm {
  const look = (desk: ArmDesk) => {
    const positions = [...desk.positions.values()]
    seen.push({
      ranges: positions.map(({ tickLower, tickUpper }) => `${tickLower}..${tickUpper}`),
      liquidity: positions.reduce((sum, { liquidity }) => sum + liquidity, 0n),
      idle: desk.idle,
      done: { ...desk.counts.done },
      refused: { ...desk.counts.refused },
    })
  }
  return {
    armId: arm.armId,
    usesMarket: arm.usesMarket,
    start: (session, capital, price) => arm.start(session, capital, price),
    open: (desk) => {
      arm.open(desk)
      look(desk)
    },
    onStep: (view, desk) => {
      arm.onStep?.(view, desk)
      look(desk)
    },
  }
}

/** A price that stays, then jumps and stays. */
export const jump = (at: number, to: number, steps: number): number[] =>
  Array.from({ length: steps + 1 }, (_, step) => (step < at ? 1 : to))
