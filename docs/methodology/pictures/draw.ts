import { writeFileSync } from 'node:fs'
import { YEAR_SECONDS } from '../../../packages/engine/src/arithmetic/time-units.ts'
import { feeFactor } from '../../../packages/engine/src/capital/loss-versus-rebalancing.ts'
import { aggregate } from '../../../packages/engine/src/montecarlo/aggregate.ts'
import { fullRangeArm, holdArm, rangeArm } from '../../../packages/engine/src/montecarlo/arms.ts'
import { estimatePaths } from '../../../packages/engine/src/montecarlo/estimator/estimator.ts'
import { FREE_GAS } from '../../../packages/engine/src/montecarlo/gas.ts'
import type { MonteCarloSpec } from '../../../packages/engine/src/montecarlo/monte-carlo-spec.ts'
import {
  aggregateTerms,
  netVsHoldByArm,
  runPaths,
} from '../../../packages/engine/src/montecarlo/monte-carlo-study.ts'
import { generatePath } from '../../../packages/engine/src/montecarlo/price-model.ts'
import { findJumps } from '../../../packages/engine/src/montecarlo/realized-volatility.ts'
import { ln } from '../../../packages/engine/src/numerics/ln.ts'
import { tailRiskOfSorted } from '../../../packages/engine/src/statistics/expected-shortfall.ts'
import { ascending } from '../../../packages/engine/src/statistics/quantile.ts'
import { wilson } from '../../../packages/engine/src/statistics/wilson.ts'
import { newPool } from '../../../packages/engine/test/monte-carlo-market.ts'
import { type Chart, draw, type Point } from './chart.ts'
import { anchors, capital, detection, unlock } from './plans-and-scores.ts'

const one = 10n ** 18n
const seed = new Uint8Array(32).fill(7)
const percent = (value: number) => `${Math.round(value * 1000) / 10} %`

/** Wilson’s interval against the plain one, for a rare event. */
function intervals(): Chart {
  const sizes = [50, 100, 150, 200, 300, 500, 800, 1200, 2000]
  const spans = sizes.map((n) => ({ n, ...wilson(Math.round(n * 0.02), n) }))
  return {
    title: 'A failure seen in 2 % of the paths: how well it is known',
    description:
      'Wilson intervals of a 2 % share narrow with the number of paths. The lower bound is never negative.',
    x: { label: 'paths', from: 50, to: 2000, ticks: [50, 100, 200, 500, 1000, 2000], scale: 'log' },
    y: { label: 'probability', from: 0, to: 0.2, ticks: [0, 0.05, 0.1, 0.15, 0.2], print: percent },
    legend: [
      ['blue', '95 % interval'],
      ['orange', 'share seen'],
    ],
    layers: [
      { kind: 'area', colour: 'blue', points: spans.map(({ n, low, high }) => [n, low, high]) },
      { kind: 'line', colour: 'orange', points: spans.map(({ n, share }) => [n, share]) },
    ],
  }
}

/** A path with jumps, and what the test finds of them. */
function jumps(): Chart {
  const model = {
    kind: 'JUMP_DIFFUSION',
    annualDrift: 0,
    annualVolatility: 0.5,
    jumpsPerYear: 150,
    jumpMean: -0.01,
    jumpDeviation: 0.05,
  } as const
  const steps = 8640
  const price = generatePath(model, seed, 3, false, steps, 300)
  const returns = Float64Array.from({ length: steps }, (_, i) => ln(price[i + 1]! / price[i]!))
  const line = Array.from({ length: 361 }, (_, i): Point => [(i * 24) / 288, price[i * 24]!])
  const found = findJumps(returns, 300).map(({ index }): Point => [index / 288, price[index + 1]!])
  const values = line.map(([, y]) => y)
  const [low, high] = [Math.min(...values) * 0.97, Math.max(...values) * 1.03]
  return {
    title: `Thirty days of a jump diffusion, and the ${found.length} jumps that the test finds`,
    description: 'A simulated price path with markers where the Lee–Mykland test at 1 % fires.',
    x: { label: 'days', from: 0, to: 30, ticks: [0, 10, 20, 30] },
    y: {
      label: 'price over start',
      from: low,
      to: high,
      ticks: [0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4].filter((v) => v > low && v < high),
    },
    legend: [
      ['blue', 'price, every two hours'],
      ['red', 'jump by Lee and Mykland, 1 %'],
    ],
    layers: [
      { kind: 'line', colour: 'blue', points: line },
      { kind: 'points', colour: 'red', points: found },
    ],
  }
}

/** What a fee leaves of LVR: theory, and the simulated market. */
function feeTheory(): Chart {
  const sigma = 0.003
  const terms = (feePips: number) => ({
    seed,
    steps: 4000,
    stepSeconds: 3600,
    annualDrift: 0,
    annualVolatility: sigma * Math.sqrt(YEAR_SECONDS / 3600),
    jumpsPerYear: 0,
    jumpMean: 0,
    jumpDeviation: 0,
    feePips,
    lowerRatio: 1e-6,
    upperRatio: 1e6,
  })
  const simulated = [300, 1000, 2000, 3000, 5000, 7500, 10_000, 15_000].map((feePips): Point => {
    const results = estimatePaths(terms(feePips), 0, 400)
    let left = 0
    for (let path = 0; path < 400; path++) left += results[4 * path + 1]! - results[4 * path + 2]!
    return [feePips / 1e6 / sigma, left / 400 / ((2 * sigma * sigma * 4000) / 8)]
  })
  const annual = terms(0).annualVolatility
  const curve = Array.from({ length: 101 }, (_, i): Point => {
    const multiple = (i * 5.5) / 100
    return [multiple, feeFactor(annual, multiple * sigma, 3600)]
  })
  return {
    title: 'Loss to arbitrage that a fee leaves: the market simulated, and the formula',
    description: 'Simulated points lie on 1/(1 + 1.7164·γ/σ).',
    x: {
      label: 'fee over the volatility of a step, γ/σ',
      from: 0,
      to: 5.5,
      ticks: [0, 1, 2, 3, 4, 5],
    },
    y: { label: 'share of ∫Vσ²/8', from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] },
    legend: [
      ['blue', '1/(1 + 1.7164·γ/σ)'],
      ['orange', 'simulated, 400 paths of 4,000 steps'],
    ],
    layers: [
      { kind: 'line', colour: 'blue', points: curve },
      { kind: 'points', colour: 'orange', points: simulated },
    ],
  }
}

function study(): MonteCarloSpec {
  return {
    s0: newPool({ feePips: 3000, ranges: true }),
    price: { kind: 'GBM', annualDrift: 0, annualVolatility: 0.9 },
    flow: { tradesPerDay: 120, logMeanQuote: ln(6e19), logDeviation: 1, buyShare: 0.5 },
    others: { kind: 'STATIC' },
    steps: 168,
    paths: 400,
    arms: () => [
      holdArm('hold'),
      fullRangeArm('full', 60),
      rangeArm('range', { tickLower: -1200, tickUpper: 1200 }),
    ],
    cfg: {
      seed,
      orientation: { base: 0, quote: 1 },
      stepSeconds: 3600,
      sampleEverySteps: 4,
      capital: { base: 1000n * one, quote: 1000n * one, normalization: 'EQUAL_VALUE' },
      bandsPips: [],
      failure: [{ kind: 'OUT_OF_RANGE', timeSharePips: 250_000 }],
      gas: FREE_GAS,
      minProfitQuote: 0n,
    },
  }
}

/** Distribution of the P&L vs initial capital of a narrow range, its tail and its first passage. */
function studyPictures(): { tail: Chart; passage: Chart; fan: Chart } {
  const spec = study()
  const outcomes = runPaths(spec, 0, spec.paths)
  const statistics = aggregate(outcomes, aggregateTerms(spec))
  const capital = 2000
  const values = ascending(
    netVsHoldByArm(outcomes)[2]!.values.map((v) => (v / 1e18 / capital) * 100),
  )
  const { valueAtRisk, expectedShortfall } = tailRiskOfSorted(values, 0.95)
  const from = Math.floor(values[0]! - 0.5)
  const to = Math.ceil(values.at(-1)! + 0.5)
  const bin = (to - from) / 40
  const bins = Array.from({ length: 40 }, (_, i): Point => {
    const [low, high] = [from + i * bin, from + (i + 1) * bin]
    return [(low + high) / 2, values.filter((v) => v >= low && v < high).length]
  })
  const most = Math.max(...bins.map(([, count]) => count))
  const ticks = (low: number, high: number, step: number) =>
    Array.from(
      { length: Math.floor((high - low) / step) + 1 },
      (_, i) => Math.ceil(low / step) * step + i * step,
    ).filter((v) => v <= high)
  const curve = statistics.arms[2]!.failure.rules[0]!.curve
  const fan = statistics.arms[2]!.fan.map((row) =>
    row.map((v) => (Number(v) / 1e18 / capital) * 100),
  )
  const low = Math.floor(Math.min(...fan.map((row) => row[0]!)))
  const high = Math.ceil(Math.max(...fan.map((row) => row[4]!)))
  const time = (i: number) => ((i + 1) * 7) / fan.length
  return {
    tail: {
      title: 'A week of a ±12 % range vs initial capital: 400 paths, and their tail',
      description: 'Histogram of the P&L vs initial capital with value at risk and CVaR marked.',
      x: { label: 'P&L vs initial capital, %', from, to, ticks: ticks(from, to, 2) },
      y: { label: 'paths', from: 0, to: most * 1.1, ticks: ticks(0, most * 1.1, 20) },
      legend: [
        ['blue', 'paths'],
        ['red', 'the worst 5 %'],
      ],
      layers: [
        {
          kind: 'bars',
          colour: 'blue',
          points: bins.filter(([x]) => x >= valueAtRisk),
          width: bin,
        },
        { kind: 'bars', colour: 'red', points: bins.filter(([x]) => x < valueAtRisk), width: bin },
        {
          kind: 'label',
          colour: 'red',
          at: [valueAtRisk, most * 0.9],
          text: `VaR 95 ${valueAtRisk.toFixed(2)} %`,
          anchor: 'end',
        },
        {
          kind: 'label',
          colour: 'red',
          at: [valueAtRisk, most * 0.8],
          text: `CVaR 95 ${expectedShortfall.toFixed(2)} %`,
          anchor: 'end',
        },
      ],
    },
    passage: {
      title: 'When the range has been left for a quarter of the week: first passage',
      description:
        'Share of paths that breached the risk limit by each time, with Wilson intervals.',
      x: { label: 'days', from: 0, to: 7, ticks: [0, 1, 2, 3, 4, 5, 6, 7] },
      y: {
        label: 'share of paths',
        from: 0,
        to: 1,
        ticks: [0, 0.25, 0.5, 0.75, 1],
        print: percent,
      },
      legend: [
        ['orange', 'share of paths'],
        ['blue', '95 % interval'],
      ],
      layers: [
        {
          kind: 'area',
          colour: 'blue',
          points: curve.map((p) => [p.seconds / 86_400, p.lowPips / 1e6, p.highPips / 1e6]),
        },
        {
          kind: 'line',
          colour: 'orange',
          points: curve.map((p) => [p.seconds / 86_400, p.sharePips / 1e6]),
        },
      ],
    },
    fan: {
      title: 'The same week from day to day: quantiles of the P&L vs initial capital',
      description: 'Fan chart with the 5, 25, 50, 75 and 95 % quantiles.',
      x: { label: 'days', from: 0, to: 7, ticks: [0, 1, 2, 3, 4, 5, 6, 7] },
      y: { label: '% of capital', from: low, to: high, ticks: ticks(low, high, 2) },
      legend: [
        ['orange', 'median'],
        ['blue', '25 to 75 %, and 5 to 95 %'],
      ],
      layers: [
        { kind: 'area', colour: 'blue', points: fan.map((row, i) => [time(i), row[0]!, row[4]!]) },
        { kind: 'area', colour: 'blue', points: fan.map((row, i) => [time(i), row[1]!, row[3]!]) },
        { kind: 'line', colour: 'orange', points: fan.map((row, i) => [time(i), row[2]!]) },
      ],
    },
  }
}

/** Every picture of the methodology pages, by file name. */
export function drawAll(): Record<string, string> {
  const { tail, passage, fan } = studyPictures()
  return {
    'intervals.svg': draw(intervals()),
    'jumps.svg': draw(jumps()),
    'fee-theory.svg': draw(feeTheory()),
    'net-vs-hold-tail.svg': draw(tail),
    'first-passage.svg': draw(passage),
    'net-vs-hold-fan.svg': draw(fan),
    'score-anchors.svg': draw(anchors()),
    'detection.svg': draw(detection()),
    'capital-by-width.svg': draw(capital()),
    'unlock-impact.svg': draw(unlock()),
  }
}

if (import.meta.main) {
  for (const [name, svg] of Object.entries(drawAll())) {
    writeFileSync(new URL(name, import.meta.url), svg)
  }
}
