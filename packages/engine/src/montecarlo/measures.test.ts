import { expect, test } from 'vitest'
import { newPool } from '../../test/monte-carlo-market.ts'
import { rule, strategy } from '../../test/strategies.ts'
import { strategyArm } from '../strategy/strategy-arm.ts'
import { aggregate } from './aggregate.ts'
import { holdArm, type MonteCarloArm, rangeArm } from './arms.ts'
import { FREE_GAS } from './gas.ts'
import { type ArmOutcome, runPath } from './run-path.ts'
import { type Scenario, unlockSell } from './scenario.ts'

const one = 10n ** 18n
const steps = 48
const stepSeconds = 300

/** A path without a will of its own: only the scenario moves it. */
function run(scenario: Scenario, arms: MonteCarloArm[], index = 0): ArmOutcome[] {
  return runPath({
    s0: newPool({ feePips: 3000, ranges: true }),
    path: { price: new Float64Array(steps + 1).fill(1), volume: null },
    arms,
    flow: null,
    others: { kind: 'STATIC' },
    scenario,
    cfg: {
      seed: new Uint8Array(32).fill(9),
      orientation: { base: 0, quote: 1 },
      stepSeconds,
      sampleEverySteps: 1,
      capital: { base: 100n * one, quote: 100n * one, normalization: 'EQUAL_VALUE' },
      bandsPips: [20_000],
      failure: [],
      gas: FREE_GAS,
      minProfitQuote: 0n,
    },
    index,
  })
}

const range = () => rangeArm('range', { tickLower: -600, tickUpper: 600 })
const quiet: Scenario = { points: [{ t: 0 }] }
/** A tenth more and back again in an hour: far out of the range and in again. */
const spike: Scenario = {
  points: [
    { t: 3000, priceRatioPips: 1_000_000 },
    { t: 3300, priceRatioPips: 1_100_000 },
    { t: 6600, priceRatioPips: 1_100_000 },
    { t: 6900, priceRatioPips: 1_000_000 },
  ],
}

test('nothing that happens is no shock, and moves no inventory', () => {
  const [arm] = run(quiet, [range()])
  expect(arm!.recovery).toMatchObject({ shocks: 0 })
  expect(arm!.samples.inventory).toMatchObject({
    quoteDepletedAt: null,
    hasTarget: false,
    vwapX18: null,
    versusVwapPips: null,
  })
})

test('a spike out of the range is a shock each way, and depth is back when the price is', () => {
  const [arm, hold] = run(spike, [range(), holdArm('hold')])
  const { shocks, after } = arm!.recovery!
  expect(shocks).toBe(2)
  expect(after.map(({ seconds }) => seconds)).toEqual([0, 60, 300, 1800, 3600])
  const [up, down] = after[0]!.depthPips
  // Out of the near ranges there is less depth than before; back in them more than there was outside.
  expect(up).toBeLessThan(600_000)
  expect(down).toBeGreaterThan(1_500_000)
  expect(after[3]!.depthPips[0]).toBe(up)
  expect(after[4]!.depthPips[0]).toBeGreaterThan(900_000)
  expect(hold!.recovery).toBeNull()
})

test('a range is out of base above it, sold below the price it sold into, and out of quote below it', () => {
  const rise: Scenario = { points: [{ t: 0 }, { t: 7200, priceRatioPips: 1_200_000 }] }
  const fall: Scenario = { points: [{ t: 0 }, { t: 7200, priceRatioPips: 800_000 }] }
  const up = run(rise, [range()])[0]!.samples.inventory
  const down = run(fall, [range()])[0]!.samples.inventory
  expect(up.baseSold).toBeGreaterThan(90n * one)
  expect(up.quoteDepletedAt).toBeNull()
  // Between the price at the start and the upper end of the range, so below the market's average.
  expect(up.averagePriceX18).toBeGreaterThan(one)
  expect(up.averagePriceX18).toBeLessThan((one * 107n) / 100n)
  expect(up.versusVwapPips).toBeLessThan(0)
  expect(down.baseSold).toBeLessThan(-90n * one)
  expect(down.quoteDepletedAt).toBeGreaterThan(0)
  expect(down.quoteDepletedAt).toBeLessThan(7200)
})

test('a strategy is timed to the share of base that it steers to', () => {
  const definition = strategy({
    inventory: { targetBaseSharePips: 300_000, minBaseSharePips: 0, maxBaseSharePips: 1_000_000 },
    rules: [rule({ kind: 'EVERY', seconds: 86_400 }, { kind: 'HOLD' })],
  })
  const terms = { actionLatencySeconds: 60, volatility: null }
  const rise: Scenario = { points: [{ t: 0 }, { t: 14_400, priceRatioPips: 1_200_000 }] }
  const [steered] = run(rise, [strategyArm('steered', definition, terms)])
  const { hasTarget, secondsToTarget } = steered!.samples.inventory
  expect(hasTarget).toBe(true)
  expect(secondsToTarget).toBeGreaterThan(0)
  const [never] = run(quiet, [strategyArm('steered', definition, terms)])
  expect(never!.samples.inventory).toMatchObject({ hasTarget: true, secondsToTarget: null })
})

test('a study adds them up over its paths, and leaves out what no path had', () => {
  const sale = unlockSell(60n * one, 1200)
  const paths = [spike, spike, quiet, sale].map((scenario, index) =>
    run(scenario, [range(), holdArm('hold')], index),
  )
  const statistics = aggregate(paths, {
    seed: new Uint8Array(32),
    horizonSeconds: steps * stepSeconds,
    failure: [],
    capitalQuote: 200n * one,
    paths: 4,
  })
  const [arm, hold] = statistics.arms
  expect(arm!.recovery).toMatchObject({ shocks: 4, pathsWithShock: 2 })
  expect(arm!.recovery!.after.map(({ n }) => n)).toEqual([4, 4, 4, 4, 4])
  expect(arm!.inventory.quoteDepleted).toMatchObject({ paths: 4, hits: 0 })
  expect(arm!.inventory.timeToTarget).toBeNull()
  expect(hold).toMatchObject({ recovery: null, inventory: { versusVwap: null } })
  expect(arm!.inventory.versusVwap!.n).toBeLessThanOrEqual(4)
})
