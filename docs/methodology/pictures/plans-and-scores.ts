import {
  depthOfLiquidity,
  liquidityForDepths,
  rangeInventory,
  wholeCurveInventory,
} from '../../../packages/engine/src/capital/constant-product.ts'
import { weightedInventory } from '../../../packages/engine/src/capital/weighted-pool.ts'
import { detectors } from '../../../packages/engine/src/detection/detectors.ts'
import { robustMad } from '../../../packages/engine/src/detection/robust-mad.ts'
import { exp } from '../../../packages/engine/src/numerics/exp.ts'
import { pathStream } from '../../../packages/engine/src/random/streams.ts'
import { scoreOnAnchors } from '../../../packages/engine/src/scoring/anchors.ts'
import { MQS_1 } from '../../../packages/engine/src/scoring/weight-set-mqs-1.ts'
import { evenPeak, linearise } from '../../../packages/engine/src/vesting/mitigation.ts'
import { impactCurve } from '../../../packages/engine/src/vesting/unlock-impact.ts'
import type { Chart, Point } from './chart.ts'

const one = 10n ** 18n
const seed = new Uint8Array(32).fill(7)
const percent = (value: number) => `${Math.round(value * 1000) / 10} %`

/** Sub-scores of three components between their anchors. */
export function anchors(): Chart {
  const shown = [
    ['EXECUTION_COST', 'blue', 'execution cost, %'],
    ['SPREAD', 'orange', 'spread, %'],
    ['PRICE_INTEGRITY', 'green', 'price deviation, %'],
  ] as const
  return {
    title: 'Sub-scores of three components between their published anchors',
    description: 'Piecewise linear scores that fall from one to zero.',
    x: { label: 'raw value, %', from: 0, to: 10, ticks: [0, 2, 4, 6, 8, 10] },
    y: { label: 'sub-score', from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] },
    legend: shown.map(([, colour, text]) => [colour, text]),
    layers: shown.flatMap(([code, colour]) => {
      const definition = MQS_1.find((component) => component.code === code)!
      const at = (raw: number): Point => [raw / 10_000, scoreOnAnchors(raw, definition) / 1e6]
      return [
        { kind: 'line', colour, points: Array.from({ length: 101 }, (_, i) => at(i * 1000)) },
        { kind: 'points', colour, points: definition.anchors.map(([raw]) => at(raw)) },
      ] as const
    }),
  }
}

/** Depth of a synthetic market, its baseline and what the detector says of it. */
export function detection(): Chart {
  const stream = pathStream(seed, 1, 'bootstrap', false)
  let level = 0
  const samples = Array.from({ length: 9 * 24 }, (_, i) => {
    level = 0.9 * level + 0.05 * stream.normal()
    const factor = i >= 200 && i < 206 ? 0.35 : 1
    return { at: i * 3600, value: BigInt(Math.round(1e6 * factor * exp(level))) }
  })
  const spec = detectors.LIQUIDITY_DISAPPEARANCE
  const judged = samples.map((_, i) => {
    if (i < 168) return null
    const series = { cadenceSeconds: 3600, samples: samples.slice(i - 168, i + 1) }
    return robustMad(series, { spec, at: i * 3600 })
  })
  const band = judged.flatMap((outcome, i) => {
    if (outcome?.feature == null) return []
    const { median, scale4 } = outcome.feature
    const reach = (3.5 * Number(scale4)) / 1e4
    return [[i / 24, (Number(median) - reach) / 1e6, (Number(median) + reach) / 1e6] as const]
  })
  const hits = judged.flatMap((outcome, i): Point[] =>
    outcome?.outcome === 'DETECTED' ? [[i / 24, Number(samples[i]!.value) / 1e6]] : [],
  )
  return {
    title: 'Liquidity that goes for six hours: the baseline of a week and the detections',
    description:
      'Depth over time with a band of 3.5 robust deviations and markers where the detector fired.',
    x: { label: 'days', from: 5, to: 9, ticks: [5, 6, 7, 8, 9] },
    y: { label: 'two-sided 2 % depth, millions', from: 0, to: 1.8, ticks: [0, 0.5, 1, 1.5] },
    legend: [
      ['blue', 'depth'],
      ['green', 'median ± 3.5 deviations'],
      ['red', 'detected'],
    ],
    layers: [
      { kind: 'area', colour: 'green', points: band },
      {
        kind: 'line',
        colour: 'blue',
        points: samples.slice(120).map(({ at, value }) => [at / 86_400, Number(value) / 1e6]),
      },
      { kind: 'points', colour: 'red', points: hits },
    ],
  }
}

/** Capital for 100,000 of depth at 2 % by shape. */
export function capital(): Chart {
  const price = { num: 2n, den: 1n }
  const targets = (['BUY', 'SELL'] as const).map((side) => ({
    side,
    movePips: 20_000,
    depthQuote: 100_000n * one,
  }))
  const liquidity = liquidityForDepths(price, targets)
  const whole = wholeCurveInventory(price, liquidity)
  const worth = ({ token, quote }: { token: bigint; quote: bigint }) =>
    Number((token * 2n + quote) / 10n ** 19n) / 100
  const moves = [5, 10, 15, 20, 25, 30, 40, 50, 60, 80]
  const ranges = moves.map((move): Point => {
    const range = {
      lower: { num: BigInt(200 - 2 * move), den: 100n },
      upper: { num: BigInt(200 + 2 * move), den: 100n },
    }
    return [move, worth(rangeInventory(price, range, liquidity))]
  })
  const check = depthOfLiquidity(price, liquidity, targets[0]!)
  if (check < 100_000n * one) throw new Error('the liquidity does not give its depth')
  const level = (value: number, colour: 'orange' | 'purple') =>
    ({
      kind: 'line',
      colour,
      dashed: true,
      points: [
        [5, value],
        [80, value],
      ],
    }) as const
  return {
    title: 'Capital for 100,000 of depth at ±2 %, by the width of the range',
    description: 'Capital of a range rises with its width towards that of the whole curve.',
    x: { label: 'width of the range, ± %', from: 5, to: 80, ticks: [5, 20, 40, 60, 80] },
    y: {
      label: 'capital, thousands of quote',
      from: 300,
      to: 40_000,
      ticks: [300, 1000, 3000, 10_000, 30_000],
      scale: 'log',
    },
    legend: [
      ['blue', 'v3 range'],
      ['orange', 'v2, the whole curve'],
      ['purple', 'weighted 80/20'],
    ],
    layers: [
      { kind: 'line', colour: 'blue', points: ranges },
      { kind: 'points', colour: 'blue', points: ranges },
      level(worth(whole), 'orange'),
      level(worth(weightedInventory(price, targets, 800_000)), 'purple'),
    ],
  }
}

/** Ten million sold over one, fourteen and seventy-five days. */
export function unlock(): Chart {
  const market = { dailyVolume: 2e6, dailyVolatility: 0.05, halfLifeDays: 10 }
  const longest = linearise(1e7, 0.05, market)!
  const curve = (days: number): Point[] => {
    const flows = Array.from({ length: 100 }, (_, day) => (day < days ? 1e7 / days : 0))
    return impactCurve(flows, market).map(({ impact }, day): Point => [day, impact])
  }
  const name = (days: number) => `${days} days, peak ${percent(evenPeak(1e7, days, market))}`
  return {
    title: 'Ten million sold at two million of volume a day: impact by how long it takes',
    description: 'Impact over 100 days for three selling horizons and the limit of 5 %.',
    x: { label: 'days since the unlock', from: 0, to: 100, ticks: [0, 25, 50, 75, 100] },
    y: { label: 'impact', from: 0, to: 0.12, ticks: [0, 0.03, 0.06, 0.09, 0.12], print: percent },
    legend: [
      ['red', `1 day, peak ${percent(evenPeak(1e7, 1, market))}`],
      ['orange', name(14)],
      ['blue', name(longest)],
    ],
    layers: [
      { kind: 'line', colour: 'red', points: curve(1) },
      { kind: 'line', colour: 'orange', points: curve(14) },
      { kind: 'line', colour: 'blue', points: curve(longest) },
      {
        kind: 'line',
        colour: 'grey',
        dashed: true,
        points: [
          [0, 0.05],
          [100, 0.05],
        ],
      },
      { kind: 'label', colour: 'grey', at: [99, 0.052], text: 'limit 5 %', anchor: 'end' },
    ],
  }
}
