import { fileURLToPath } from 'node:url'
import type { contract } from '@liquidity-os/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { studyRecording } from '../../../cli/study/run-study.ts'
import { armResultOf, type EngineStudy } from './replay/replay-arms.ts'
import { priceX18 } from './study-hashes.ts'
import { readStudyVerdict } from './study-verdict.ts'
import { vsHodlCourse } from './vs-hodl-course.ts'

type Result = contract.StudyResult
type Spec = contract.SimulationStudy['spec']
type ArmResult = contract.ArmResult

const e18 = 10n ** 18n
const launch = fileURLToPath(
  new URL('../../../../../../datasets/v3-ens-weth-from-init', import.meta.url),
)

/** Positions around the price that follow it with a swap, half a minute after they leave it. */
const following = (shares: readonly number[]) => ({
  capital: { maxBase: `${10n ** 27n}`, maxQuote: `${10n ** 24n}` },
  inventory: {
    targetBaseSharePips: 500_000,
    minBaseSharePips: 0,
    maxBaseSharePips: 1_000_000,
  },
  positions: shares.map((weightPips, index) => ({
    positionId: `part-${index}`,
    weightPips,
    template: { kind: 'RANGE', lowerPips: 50_000 + index, upperPips: 50_000 + index },
  })),
  idlePips: 0,
  rules: [
    {
      ruleId: 'follow',
      when: { kind: 'OUT_OF_RANGE', positionId: 'part-0', seconds: 30 },
      do: { kind: 'RECENTER', swap: true },
      cooldownSeconds: 60,
      maxPerDay: 20,
    },
  ],
  guards: {
    twapWindowSeconds: 1800,
    maxTwapDeviationPips: 1_000_000,
    maxSwapSlippagePips: 500_000,
    maxGasQuotePerAction: null,
    maxTurnoverQuotePerDay: `${10n ** 24n}`,
    minSecondsBetweenActions: 0,
    oracleMaxAgeSeconds: null,
    pauseOn: [],
  },
})

const exact = (price: { num: string; den: string } | null) => {
  if (!price) throw new Error('The study has no price.')
  return { num: BigInt(price.num), den: BigInt(price.den) }
}

interface Made {
  readonly spec: Spec
  readonly result: Result
  readonly engine: EngineStudy
}

async function study(normalization: 'AS_GIVEN' | 'EQUAL_VALUE'): Promise<Made> {
  const file = {
    name: 'Does following the price pay',
    base: 1,
    symbols: { base: 'ENS', quote: 'WETH' },
    decimals: { base: 18, quote: 18 },
    arms: [
      {
        armId: 'wide',
        label: 'Wide',
        position: { kind: 'RANGE', lowerPips: 500_000, upperPips: 1_000_000 },
      },
      { armId: 'single', label: 'Follows', strategy: following([1_000_000]) },
      { armId: 'double', label: 'Follows with two', strategy: following([500_000, 500_000]) },
    ],
    capital: { base: `${10_000n * e18}`, quote: `${100n * e18}`, normalization },
    sampleSeconds: 60,
  }
  const { study: engine } = (await studyRecording(
    { folder: launch },
    file as never,
    () => {},
  )) as unknown as {
    study: EngineStudy
  }
  const spec = {
    kind: 'REPLAY',
    arms: file.arms.map(({ armId, label, ...arm }) =>
      'strategy' in arm ? { armId, label, definition: arm.strategy } : { armId, label, ...arm },
    ),
    capital: file.capital,
    pair: { base: '0xc', quote: '0xb' },
  } as unknown as Spec
  const prices = { start: exact(engine.startPrice), end: exact(engine.endPrice) }
  const result = {
    state: 'COMPLETED',
    reasons: [],
    search: null,
    paths: null,
    comparisons: [],
    course: { fromTime: 0, toTime: 774 },
    startPriceX18: priceX18(prices.start),
    endPriceX18: priceX18(prices.end),
    arms: engine.arms.flatMap(({ armId, results }) =>
      results.map((one) => armResultOf(armId, one, spec as never, { worth: 1n, prices })),
    ),
  } as unknown as Result
  return { spec, result, engine }
}

const verdictOf = ({ spec, result }: Pick<Made, 'spec' | 'result'>) =>
  readStudyVerdict({
    id: 'study_0198f0f0c0de7000800000000000a001',
    resourceVersion: `0x${'1'.repeat(64)}`,
    status: 'COMPLETED',
    payload: { spec, result },
  })

/** The result as a release stored it that did not state HODL. */
const earlier = (made: Made): Made => ({
  ...made,
  result: {
    ...made.result,
    arms: made.result.arms.map((arm) => {
      const { hodlPnl: _, ...others } = arm as ArmResult
      return others
    }) as Result['arms'],
  },
})

describe.each(['AS_GIVEN', 'EQUAL_VALUE'] as const)(
  'a strategy that moves, with capital %s',
  (normalization) => {
    let made: Made
    beforeAll(async () => {
      made = await study(normalization)
    })

    it('is compared with HODL of the inventory that it starts with', () => {
      const { engine, spec } = made
      const [start, end] = [exact(engine.startPrice), exact(engine.endPrice)]
      for (const { armId, results } of engine.arms) {
        const verdict = verdictOf(made).arms.find((arm) => arm.armId === armId)
        for (const { flowModel, opening, waterfallHolder, operations } of results) {
          const { deposited, idle } = opening
          const base = BigInt(deposited.base) + BigInt(idle.base)
          // A loss of value by conversion would be a cost; the start converts at the price.
          const gain = (base * end.num) / end.den - (base * start.num) / start.den
          const run = verdict?.runs.find((one) => one.flowModel === flowModel)
          const difference = BigInt(run?.hodlPnlQuote ?? 0) - gain
          expect(difference >= -4n && difference <= 4n, `${armId} ${difference}`).toBe(true)
          expect(BigInt(run?.netVsHodlQuote ?? 0)).toBe(
            BigInt(waterfallHolder.net) - BigInt(run?.hodlPnlQuote ?? 0),
          )
          const moved = Object.values(operations.actions.done).reduce(
            (sum, count) => sum + count,
            0,
          )
          if (armId === 'single' || armId === 'double') expect(moved).toBeGreaterThan(2)
        }
      }
      expect(spec.capital.normalization).toBe(normalization)
    })

    it('shows the price gain of later inventories as a part of its result', () => {
      for (const { armId, runs } of verdictOf(made).arms) {
        for (const run of runs) {
          const arm = made.result.arms.find(
            (one) => one.armId === armId && 'flowModel' in one && one.flowModel === run.flowModel,
          ) as ArmResult
          const { gas, rebalanceCost, rewards, rounding } = arm.waterfallHolder
          const sum =
            BigInt(run.feesQuote) +
            BigInt(run.ilQuote) +
            BigInt(run.inventoryEffectQuote) +
            BigInt(rewards) +
            BigInt(rounding) -
            BigInt(gas) -
            BigInt(rebalanceCost)
          expect(`${sum}`, armId).toBe(run.netVsHodlQuote)
          expect(run.inventoryEffectQuote === '0', armId).toBe(
            ['wide', 'benchmark-hold', 'benchmark-full-range'].includes(armId),
          )
        }
      }
    })

    it('has one HODL under both flow models, and its line ends at the verdict', () => {
      for (const { armId, results } of made.engine.arms) {
        const runs = verdictOf(made).arms.find((arm) => arm.armId === armId)?.runs ?? []
        expect(new Set(runs.map(({ hodlPnlQuote }) => hodlPnlQuote)).size, armId).toBe(1)
        for (const [index, { flowModel }] of results.entries()) {
          const arm = made.result.arms.find(
            (one) => one.armId === armId && 'flowModel' in one && one.flowModel === flowModel,
          ) as ArmResult
          const { series } = results[index] as unknown as { series: never[] }
          const course = vsHodlCourse(arm, made, series)
          const run = runs.find((one) => one.flowModel === flowModel)
          const miss = BigInt(run?.netVsHodlQuote ?? 0) - (course.at(-1)?.netVsHodl ?? 0n)
          expect(miss < 10n ** 9n && miss > -(10n ** 9n), `${armId} ${miss}`).toBe(true)
        }
      }
    })

    it('of an earlier release is compared alike where the result contains the inventory, else withheld', () => {
      const withoutDouble = (arms: Result['arms']) => arms.filter(({ armId }) => armId !== 'double')
      const old = earlier(made)
      const known = { ...old, result: { ...old.result, arms: withoutDouble(old.result.arms) } }
      const current = { ...made, result: { ...made.result, arms: withoutDouble(made.result.arms) } }
      const [before, now] = [verdictOf(known), verdictOf(current)]
      for (const [index, arm] of now.arms.entries()) {
        const miss =
          BigInt(arm.netVsHodlQuote.low) - BigInt(before.arms[index]?.netVsHodlQuote.low ?? 0)
        // The half of the rebalancing portfolio follows from a price of 18 digits.
        expect(miss < 10n ** 6n && miss > -(10n ** 6n), `${arm.armId} ${miss}`).toBe(true)
      }
      const whole = verdictOf(old)
      if (normalization === 'AS_GIVEN') expect(whole.withheld).toBeNull()
      else {
        expect([whole.withheld, whole.arms]).toEqual(['NO_START_INVENTORY', []])
        expect(whole.sentence).toContain('starting inventory')
      }
    })
  },
)
