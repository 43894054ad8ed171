import { drawFigure } from '@liquidity-os/drawing'
import { describe, expect, it } from 'vitest'
import { waterfallFigures } from './figures/accounts.ts'
import type { Findings } from './report-input.ts'
import { figuresOf } from './study-figures.ts'

const dist = {
  n: 2,
  mean: '1',
  sd: '1',
  q: { p01: '-3', p05: '-2', p25: '-1', p50: '0', p75: '1', p95: '2', p99: '3' },
  meanCi95: ['0', '2'],
}
const lines = [
  'hold',
  'divergenceLoss',
  'exposureDrift',
  'deltaPnl',
  'lvr',
  'fees',
  'rewards',
  'gas',
  'rebalanceCost',
  'rounding',
  'net',
]
/** Equal breakdowns would share a chart. */
const spreadsOf = (index: number) =>
  Object.fromEntries(lines.map((line) => [line, { ...dist, mean: `${index}` }]))
const linesOf = (amount: number) => Object.fromEntries(lines.map((line) => [line, `${amount}`]))
const passage = { curve: [{ seconds: 3600, sharePips: 1, lowPips: 0, highPips: 2 }] }
const rules = Array.from({ length: 8 }, (_, index) => ({ kind: 'LOSS_VS_HOLD', pips: index + 1 }))

/** What the largest study has: eleven arms and eight rules. */
function largest(kind: 'REPLAY' | 'MONTE_CARLO'): Findings {
  const arms = Array.from({ length: 11 }, (_, index) => ({
    armId: `arm-${index}`,
    label: `Arm ${index}`,
  }))
  const simulated = arms.map(({ armId }, index) => ({
    armId,
    waterfallHolder: spreadsOf(index),
    waterfallMaker: spreadsOf(index),
    risk: { netVsHold: { es95: '-9' } },
    fan: [
      { seconds: 0, netVsHold: dist.q },
      { seconds: 3600, netVsHold: dist.q },
    ],
    depthOverTime: [],
    slippage: [],
    failure: { rules: rules.map((rule) => ({ rule, passage })), any: passage },
  }))
  const replayed = arms.flatMap(({ armId }, index) =>
    ['INELASTIC_INPUT', 'PRICE_SETTING'].map((flowModel, model) => ({
      armId,
      flowModel,
      waterfallHolder: linesOf(2 * index + model),
      waterfallMaker: linesOf(2 * index + model),
      positions: [{}],
      slippage: [],
      failure: rules.map((rule) => ({ rule, failed: true, block: 1, timestamp: 7 })),
    })),
  )
  const comparisons = arms.flatMap(({ armId: a }, index) =>
    arms.slice(index + 1).map(({ armId: b }) => ({ a, b, diff: dist, pHolmPips: 1, verdict: 'A' })),
  )
  const pair = { base: '0x1', quote: '0x2', baseDecimals: 0, quoteDecimals: 0 }
  const isReplay = kind === 'REPLAY'
  return {
    study: { payload: { spec: { pair, kind } } },
    result: { state: 'COMPLETED', comparisons, market: null },
    series: new Map(),
    liquidity: null,
    arms,
    simulated: isReplay ? [] : simulated,
    replayed: isReplay ? replayed : [],
  } as unknown as Findings
}

describe('the figures of the largest study', () => {
  it.each(['REPLAY', 'MONTE_CARLO'] as const)('of the kind %s fit a page each', (kind) => {
    const findings = largest(kind)
    const figures = figuresOf(findings)
    const terms = { baseDecimals: 0, quoteDecimals: 0, isBaseFirst: true, arms: findings.arms }
    const heights = figures.map((figure) => drawFigure(figure, terms).height)
    // 660 points of paper, and 515 for the 760 units of the width.
    expect(heights.filter((height) => height > (660 * 760) / 515)).toEqual([])
    expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length)
    expect(figures.length).toBeLessThanOrEqual(64)
    const pairs = figures.filter((figure) => figure.kind === 'PAIRED_DIFFERENCES')
    expect(pairs.map(({ rows }) => rows.length)).toEqual([28, 27])
  })
})

describe('the P&L breakdowns', () => {
  const run = (armId: string, flowModel: string, amount: number) => ({
    armId,
    flowModel,
    waterfallHolder: linesOf(amount),
    waterfallMaker: linesOf(amount),
  })
  const arms = ['hold', 'wide', 'benchmark-hold'].map((armId) => ({
    armId,
    label: armId.toUpperCase(),
  }))
  const replayed = [
    run('hold', 'INELASTIC_INPUT', 5),
    run('hold', 'PRICE_SETTING', 5),
    run('wide', 'INELASTIC_INPUT', 5),
    run('wide', 'PRICE_SETTING', 6),
    run('benchmark-hold', 'INELASTIC_INPUT', 5),
    run('benchmark-hold', 'PRICE_SETTING', 5),
  ]

  it('of equal candidates and flow models are drawn once, and the chart says so', () => {
    const figures = waterfallFigures({ arms, replayed, simulated: [] })
    expect(figures.map(({ id, title, rows }) => [id, title, rows.length])).toEqual([
      ['accounts-1', 'P&L breakdown: HOLD, BENCHMARK-HOLD', 17],
      ['accounts-2', 'P&L breakdown: WIDE', 34],
    ])
    expect(figures[0]?.description).toMatch(
      /Both flow models.*Drawn once for equal candidates: HOLD/,
    )
    expect(figures[1]?.description).not.toMatch(/drawn once/i)
  })

  it('under one flow model keep its name', () => {
    const [figure] = waterfallFigures({ arms, replayed: replayed.slice(0, 1), simulated: [] })
    expect(new Set(figure?.rows.map(([, model]) => model))).toEqual(new Set(['INELASTIC_INPUT']))
    expect(figure?.description).not.toMatch(/flow models/)
  })
})
