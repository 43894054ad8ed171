import { expect, it } from 'vitest'
import { figureName, unitWithin } from './meaning.ts'
import { measured, measuresOf } from './measures.ts'

const pack = {
  comparison: { rows: [{ metricId: 'runway', unit: 'MONTHS_X3', asset: null, cells: [] }] },
  options: [{ metrics: [{ metricId: 'depth', unit: 'ATOMS', asset: 'eip155:1/erc20:0x1' }] }],
  limits: [{ metricId: 'depth', value: '5' }],
}

it('a limit is counted in what its metric is counted in', () => {
  const measures = measuresOf(pack)
  expect(measured(pack.limits[0]!, measures)).toEqual({
    metricId: 'depth',
    value: '5',
    unit: 'ATOMS',
    asset: 'eip155:1/erc20:0x1',
  })
  const runway = measured({ metricId: 'runway', observed: '1500' }, measures)
  expect(figureName('observed', unitWithin(runway, ''))).toBe('observedX3')
})

it('leaves a header with no metric, an unknown metric or its own unit unchanged', () => {
  const measures = measuresOf(pack)
  expect(measured({ value: '5' }, measures)).toEqual({ value: '5' })
  expect(measured({ metricId: 'else', value: '5' }, measures)).toEqual({
    metricId: 'else',
    value: '5',
  })
  const own = { metricId: 'depth', unit: 'PIPS', value: 1 }
  expect(measured(own, measures)).toBe(own)
})
