import { expect, it } from 'vitest'
import { sourcesIn, withVersions } from '../declared/sources.ts'
import { relaxed } from './allocation-dials.ts'
import { capitalDials } from './capital-dials.ts'
import { applyPositions } from './dials.ts'

const units = {
  base: null,
  own: null,
  quote: { symbol: 'WETH', decimals: 18, address: '0x' },
}
const e18 = 10n ** 18n
const request = {
  label: 'Two per cent',
  targets: [{ side: 'BOTH', movePips: 20_500, depthQuote: `${123_456n * e18}` }],
  shapes: [
    { shapeId: 'whole', shape: { kind: 'V2' } },
    {
      shapeId: 'near',
      shape: { kind: 'V3_RANGE', lowerMovePips: 200_000, upperMovePips: 250_000 },
    },
  ],
  volatility: { kind: 'DECLARED', annualPips: 800_000 },
}
const groups = capitalDials(request, units)
const dialAt = (path: string) =>
  groups.flatMap(({ dials }) => dials).find((dial) => dial.path === path)!

it('has a slider for each depth, range and buffer part; an unmoved slider changes no input', () => {
  expect(groups.map(({ name }) => name)).toEqual([
    'Depth 1, both sides',
    'Range of shape near',
    'Buffer',
  ])
  const positions = Object.fromEntries(
    groups.flatMap(({ dials }) => dials.map(({ path, first }) => [path, first])),
  )
  expect(applyPositions(request, groups, positions)).toBe(request)
  for (const { first, least, most, step } of groups.flatMap(({ dials }) => dials)) {
    expect([(first - least) % step, first >= least, first <= most]).toEqual([0, true, true])
  }
})

it('moves an amount proportionally, in three digits, and shows it in units', () => {
  const depth = dialAt('targets.0.depthQuote')
  expect([depth.format(0), depth.format(100), depth.format(-100)]).toEqual([
    '123,456 WETH',
    '1,230,000 WETH',
    '12,300 WETH',
  ])
  const doubled = applyPositions(request, groups, { 'targets.0.depthQuote': 30 })
  expect(doubled.targets[0]?.depthQuote).toBe(`${246_000n * e18}`)
  expect(request.targets[0]?.depthQuote).toBe(`${123_456n * e18}`)
})

it('moves shares and days that the request does not name', () => {
  const moved = applyPositions(request, groups, {
    'shapes.1.shape.upperMovePips': 400_000,
    horizonDays: 30,
    confidencePips: 990_000,
  })
  expect(moved).toEqual({
    ...request,
    shapes: [
      request.shapes[0],
      { ...request.shapes[1], shape: { ...request.shapes[1]?.shape, upperMovePips: 400_000 } },
    ],
    horizonDays: 30,
    confidencePips: 990_000,
  })
})

it('lets a limit give way in its own type', () => {
  const request = { limits: { perOptionPips: 100_000 }, targets: [{ minQuote: '5' }] }
  const change = { from: '0' }
  expect(relaxed(request, { ...change, constraint: 'limits.perOptionPips', to: '200000' })).toEqual(
    {
      ...request,
      limits: { perOptionPips: 200_000 },
    },
  )
  expect(relaxed(request, { ...change, constraint: 'targets.0.minQuote', to: '3' })).toEqual({
    ...request,
    targets: [{ minQuote: '3' }],
  })
})

it('requests sources at their current versions', () => {
  const source = { resourceType: 'TreasuryBucket', id: 'treasury_entry_1', resourceVersion: '0x1' }
  const named = { ledgerSources: [source], label: 'Two' }
  expect(sourcesIn(named)).toEqual([source])
  expect(withVersions(named, new Map([[source.id, '0x2']]))).toEqual({
    label: 'Two',
    ledgerSources: [{ ...source, resourceVersion: '0x2' }],
  })
  expect(withVersions(named, new Map())).toEqual(named)
})
