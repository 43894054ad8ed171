import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { type ClmmState, toJsonSafe } from '@liquidity-os/engine/amm'
import { type QuoteSource, splitExactIn } from '@liquidity-os/engine/execution'
import { readClmmState } from '@liquidity-os/engine/replay'
import { type Route, routeOf } from '@liquidity-os/engine/routing'
import planExecution, {
  type PlanTask,
} from '../apps/server/src/families/operate/protected-execution/planning/plan-task.ts'
import type { Benchmark } from './benchmark.ts'

const file = 'onchain-quotes/uniswap_v3_wbtc_weth_24407242.json'
const recorded = readClmmState(
  JSON.parse(readFileSync(new URL(`../datasets/${file}`, import.meta.url), 'utf8')),
  file,
).state
const orientation = { base: 0, quote: 1 }
const million = 1_000_000n

/** The recorded pool and thinner copies, so no two are equal. */
const pools: ClmmState[] = [1n, 2n, 5n, 11n].map((thinner) => ({
  ...recorded,
  liquidity: recorded.liquidity / thinner,
  ticks: recorded.ticks.map((tick) => ({
    ...tick,
    liquidityGross: tick.liquidityGross / thinner + 1n,
    liquidityNet: tick.liquidityNet / thinner,
  })),
}))
/** 40 base tokens, more than all quotes together accept. */
const amount = 40n * 10n ** 8n
const gasBuy = 10n ** 15n

/** Twelve quotes around the pool price, each with a minimum fill, from five market makers. */
function quotesOf(round: number): QuoteSource[] {
  const { amountOut } = routeOf(recorded, { from: 0, to: 1 }).swap(10n ** 8n) ?? { amountOut: 0n }
  return Array.from({ length: 12 }, (_, index) => {
    const sellAmount = BigInt(1 + ((index * 7 + round) % 9)) * 10n ** 8n
    const rate = million + BigInt(((index * 37 + round * 11) % 60) - 35) * 100n
    return {
      kind: 'QUOTE',
      sourceId: `0x${index.toString(16).padStart(64, '0')}`,
      gasBuy,
      maker: `m${index % 5}`,
      isFirm: index % 3 > 0,
      sellAmount,
      buyAmount: (((amountOut * sellAmount) / 10n ** 8n) * rate) / million,
      minimumFill: sellAmount / BigInt(1 + (index % 4)),
    }
  })
}

/** Counts the pool evaluations that every planner needs. */
function counted(route: Route, count: { asked: number }): Route {
  return {
    best: route.best,
    inputAt(rate, max) {
      count.asked += 1
      return route.inputAt(rate, max)
    },
    swap(amountIn) {
      count.asked += 1
      return route.swap(amountIn)
    },
  }
}

const encoder = new TextEncoder()
const states = pools.map((pool) => encoder.encode(JSON.stringify(toJsonSafe(pool))))

function timed<Result>(work: () => Result): { milliseconds: number; result: Result } {
  const start = performance.now()
  const result = work()
  return { milliseconds: performance.now() - start, result }
}

/**
 * A plan of 12 quotes and 4 pools as its thread computes it: states parsed, sources chosen, order split, sandwiches bounded. Limit: the
 * exact pool evaluations that the split asked for, alone.
 */
export const execution: Benchmark = {
  name: 'execution',
  title: 'plan of an order over 12 quotes and 4 v3 pools',
  units: { plan: 'ms', split: 'ms', evaluations: '', bare: 'ms', gap: 'pips' },
  comparisons: [
    { name: 'plan, ms', of: 'plan', mark: { atMost: 500 } },
    { name: 'split / its evaluations alone', of: 'split', to: 'bare', mark: { atMost: 3 } },
    { name: 'gap to the bound, pips', of: 'gap', mark: { atMost: 100 } },
    { name: 'evaluations of a pool', of: 'evaluations', mark: null },
  ],
  open: async () => ({
    round: async (index) => {
      const quotes = quotesOf(index)
      const task: PlanTask = {
        side: 'SELL',
        amountKind: 'EXACT_IN',
        amount,
        maxInput: amount,
        slippagePips: 5_000,
        shares: { maximumLegs: 8, minimumFirmPips: 100_000, maximumMakerPips: 400_000 },
        quotes,
        pools: states.map((state, index) => ({
          sourceId: `pool-${index}`,
          state,
          orientation,
          gasBuy,
        })),
      }
      const plan = timed(() => planExecution(task))
      if (plan.result.refused !== null) throw new Error('The order cannot be filled.')
      const count = { asked: 0 }
      const limits = {
        fill: 'WHOLE' as const,
        maximumLegs: 8,
        minimumFirm: amount / 10n,
        maximumMaker: (amount * 4n) / 10n,
      }
      const routes = pools.map((pool) => routeOf(pool, { from: 0, to: 1 }))
      const sources = routes.map((route, index) => ({
        kind: 'POOL' as const,
        sourceId: `pool-${index}`,
        gasBuy,
        route: counted(route, count),
      }))
      const split = timed(() => splitExactIn([...quotes, ...sources], amount, limits))
      const { amountOut } = split.result as { amountOut: bigint }
      if (amountOut !== plan.result.amountOut) throw new Error('Two splits of one order differ.')
      const bare = timed(() => {
        for (let swapIndex = 0; swapIndex < count.asked; swapIndex += 1) {
          routes[swapIndex % routes.length]?.swap(amount / BigInt(2 + (swapIndex % 5)))
        }
      })
      return {
        plan: plan.milliseconds,
        split: split.milliseconds,
        evaluations: count.asked,
        bare: bare.milliseconds,
        gap: Number(plan.result.optimality.gapPips),
      }
    },
    close: async () => {},
  }),
}
