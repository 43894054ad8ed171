// @module-tag long

import { expect, test } from 'vitest'
import { newPair, newPool } from '../../../test/monte-carlo-market.ts'
import { smallStudy } from '../../../test/monte-carlo-study.ts'
import { comparePaths, fuzzPaths, textOf } from '../../../test/path-fuzz.ts'
import { drawStudy } from '../../../test/random-studies.ts'
import { runPaths, runPathsReadably } from '../monte-carlo-study.ts'
import { compilePaths } from './compiled-paths.ts'

test('drawn studies come to the same bytes on both engines', () => {
  const total: Record<string, number> = {}
  for (let seed = 20_000; seed < 20_040; seed++) {
    const { difference, counts } = fuzzPaths(seed, 2)
    expect(difference).toBeNull()
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count
  }
  expect(total).toMatchObject({ untaken: 0, failed: 0 })
  expect(total.compiled).toBeGreaterThan(300)
  expect(total.same).toBeGreaterThan(50)
})

test('the drawn studies reach what there is to be compared', () => {
  const reached = new Set<string>()
  for (let seed = 20_000; seed < 20_080; seed++) {
    const spec = drawStudy(seed)
    reached.add(spec.others.kind).add(spec.price.kind).add(spec.cfg.gas.baseFee.kind)
    for (const { flow, recovery, samples } of runPaths(spec, 0, 1).flat()) {
      if (flow.arbitrages > 0) reached.add('arbitrage')
      if (flow.noiseTrades > 0) reached.add('noise')
      if (flow.refusedTrades > 0) reached.add('refusal')
      if ((recovery?.after.at(-1)?.depthPips.length ?? 0) > 0) reached.add('recovery')
      if (samples.inventory.quoteDepletedAt !== null) reached.add('depletion')
      if (samples.inventory.secondsToTarget !== null) reached.add('target')
      for (const [rule, seconds] of samples.failedAt.entries()) {
        if (seconds !== null) reached.add(`${spec.cfg.failure[rule]?.kind}`)
      }
    }
  }
  expect([...reached].sort()).toEqual(
    [
      ...['AR1_LOG', 'CONSTANT', 'BLOCK_BOOTSTRAP', 'GBM', 'JUMP_DIFFUSION'],
      ...['EXIT_HAZARD', 'FOLLOW_PRICE', 'STATIC'],
      ...['BASE_SHARE_ABOVE', 'DEPTH_BELOW', 'DRAWDOWN', 'LOSS_VS_HOLD', 'OUT_OF_RANGE'],
      ...['PRICE_BELOW', 'QUOTE_BELOW', 'SLIPPAGE_ABOVE'],
      ...['arbitrage', 'depletion', 'noise', 'recovery', 'refusal', 'target'],
    ].sort(),
  )
})

test('a study with something of everything comes to the same bytes, in whatever parts it is run', () => {
  const spec = smallStudy()
  const whole = textOf(runPaths(spec, 0, 16))
  expect(comparePaths(spec, 16)).toMatchObject({ difference: null, counts: { compiled: 48 } })
  const cuts = [0, 3, 9, 15, 16]
  const joined = cuts.slice(1).flatMap((to, place) => runPaths(spec, cuts[place] ?? 0, to))
  expect(textOf(joined)).toBe(whole)
})

test('a price beyond what a study can speak of is the same error on both engines', () => {
  const price = { kind: 'GBM', annualDrift: 0, annualVolatility: 5000 } as const
  const spec = { ...smallStudy(), price }
  const { difference, counts } = comparePaths(spec, 2)
  expect(difference).toBeNull()
  expect(counts.failed).toBe(1)
})

test('amounts without room in fixed fields are left to the readable engine', () => {
  const { cfg, ...study } = smallStudy()
  const capital = { base: 1n << 199n, quote: 1n << 199n, normalization: 'EQUAL_VALUE' } as const
  const spec = { ...study, cfg: { ...cfg, capital }, s0: newPool({ feePips: 3000, ranges: true }) }
  const { difference, counts } = comparePaths(spec, 2)
  expect(difference).toBeNull()
  expect(counts.readable + counts.failed).toBeGreaterThan(0)
})

test('a pair, and bands or steps without a meaning in the module, are not taken', () => {
  const spec = smallStudy()
  expect(compilePaths({ ...spec, s0: newPair() })).toBeNull()
  expect(compilePaths({ ...spec, cfg: { ...spec.cfg, bandsPips: [1_000_000] } })).toBeNull()
  expect(compilePaths({ ...spec, cfg: { ...spec.cfg, stepSeconds: 0.5 } })).toBeNull()
  const pair = { ...spec, s0: newPair(), paths: 2 }
  expect(textOf(runPaths(pair, 0, 1))).toBe(textOf(runPathsReadably(pair, 0, 1)))
})
