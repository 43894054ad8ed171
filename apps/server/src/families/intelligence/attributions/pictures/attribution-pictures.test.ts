import { type Drawing, pictureToSvg } from '@liquidity-os/drawing'
import { misplacedTexts } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import type { Attribution } from './attribution.ts'
import { drawFillStrip } from './fill-strip.ts'
import { drawMarkouts } from './markouts.ts'
import { drawSquareRoot } from './square-root.ts'
import { busyAttribution as busy, exampleAttribution } from './testing/busy-attribution.ts'
import { drawCostWaterfall } from './waterfall.ts'

const [fill] = exampleAttribution.fills as [Attribution['fills'][number]]

const draws = { drawCostWaterfall, drawFillStrip, drawSquareRoot, drawMarkouts }

describe.each(Object.entries(draws))('%s', (_name, draw: (of: Attribution) => Drawing) => {
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
  const parts = drawCostWaterfall({
    ...busy,
    components: { ...components!, ...unknown },
    componentsPips: { ...componentsPips!, ...unknown },
  }).rows.map(([part]) => part)
  expect(parts).toContain('impactPlusMev')
  expect(parts).not.toContain('mev')
  expect(drawCostWaterfall(busy).rows.map(([part]) => part)).not.toContain('impactPlusMev')
})

it('draws one attacker’s bar for each fill that was pushed', () => {
  const bars = (of: Attribution) =>
    drawFillStrip(of).picture.shapes.filter(({ kind }) => kind === 'rect').length
  expect(bars(busy)).toBe(1)
  expect(bars({ ...busy, fills: [fill] })).toBe(0)
})

it('leaves out a fill of nothing, which has no price', () => {
  const drawn = drawFillStrip({ ...busy, fills: [...busy.fills, { ...fill, base: '0' }] })
  expect(drawn.rows).toHaveLength(busy.fills.length)
  expect(pictureToSvg(drawn.picture)).not.toMatch(/NaN|Infinity/)
})
