import { drawChart, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import { misplacedTexts } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import { attributionCharts } from './charts.ts'
import { busyAttribution as busy, exampleAttribution } from './testing/busy-attribution.ts'

type Attribution = typeof busy

const [fill] = exampleAttribution.fills as [Attribution['fills'][number]]

const chartOf = (id: string, attribution: Attribution) => {
  const spec = attributionCharts(attribution).find((one) => one.id === `attribution.${id}`)
  return drawChart(spec!, usualPaper)
}

describe.each(['waterfall', 'fills', 'square-root', 'markouts'])('%s', (id) => {
  const draw = (attribution: Attribution) => chartOf(id, attribution)
  it('gives a well-formed picture, the same for the same record, with every row of its table', () => {
    const { picture, rows, columns } = draw(busy)
    const svg = pictureToSvg(picture)
    expect(svg).toBe(pictureToSvg(draw(busy).picture))
    expect(svg).not.toMatch(/NaN|Infinity|undefined|null/)
    expect(svg.match(/<(?!\/|\?)/g)!.length).toBeGreaterThan(10)
    const opened = [...svg.matchAll(/<([a-z]+)[^>]*[^/]>/g)].map(([, tag]) => tag)
    const closed = [...svg.matchAll(/<\/([a-z]+)>/g)].map(([, tag]) => tag)
    expect(opened.sort()).toEqual(closed.sort())
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toHaveLength(columns.length)
    expect(misplacedTexts(picture)).toEqual([])
  })

  it('says so where there is nothing to draw', () => {
    const nothing = { ...busy, fills: [], components: null, componentsPips: null, benchmark: null }
    const { picture, rows } = draw(nothing)
    expect(rows).toEqual([])
    expect(pictureToSvg(picture)).toMatch(/No |There is no/)
  })
})

it('draws impact and sandwich as one bar if they are not separated', () => {
  const { components, componentsPips } = busy
  const unknown = { impact: null, mev: null }
  const parts = chartOf('waterfall', {
    ...busy,
    components: { ...components!, ...unknown },
    componentsPips: { ...componentsPips!, ...unknown },
  }).rows.map(([part]) => part)
  expect(parts).toContain('Impact and sandwich')
  expect(parts).not.toContain('Sandwich')
  expect(chartOf('waterfall', busy).rows.map(([part]) => part)).not.toContain('Impact and sandwich')
})

it('hatches costs and fills gains, which end at the shortfall', () => {
  const { rows } = chartOf('waterfall', busy)
  const shares = new Map(rows.map(([part, share, , , kind]) => [part, [share, kind]]))
  expect(shares.get('Delay')).toEqual(['-0.4', 'GAIN'])
  expect(shares.get('Sandwich')).toEqual(['0.25', 'COST'])
  expect(rows.at(-1)!.slice(0, 2)).toEqual(['Shortfall', null])
})

it('draws the impact of the attacker for each fill that was front-run', () => {
  const pushed = (of: Attribution) =>
    chartOf('fills', of).rows.filter((row) => row[6] === 'yes').length
  expect(pushed(busy)).toBe(1)
  expect(pushed({ ...busy, fills: [fill] })).toBe(0)
})

it('leaves out a fill of zero, which has no price', () => {
  const drawn = chartOf('fills', { ...busy, fills: [...busy.fills, { ...fill, base: '0' }] })
  expect(drawn.rows.filter(([kind]) => kind === 'Fill')).toHaveLength(busy.fills.length)
  expect(pictureToSvg(drawn.picture)).not.toMatch(/NaN|Infinity/)
})
