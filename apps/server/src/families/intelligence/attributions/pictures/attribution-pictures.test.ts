import { responseExamples } from '@liquidity-os/contract'
import { type Drawing, pictureToSvg } from '@liquidity-os/drawing'
import { misplacedTexts } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import type { Attribution } from './attribution.ts'
import { drawFillStrip } from './fill-strip.ts'
import { drawMarkouts } from './markouts.ts'
import { drawSquareRoot } from './square-root.ts'
import { drawCostWaterfall } from './waterfall.ts'

const { data } = responseExamples.createAttributions as unknown as {
  data: { payload: Attribution }
}
const [fill] = data.payload.fills as [Attribution['fills'][number]]
const block = fill.block
const mark = (seconds: number, permanentPips: number, temporaryPips: number) => ({
  ...{ seconds, block, priceX18: fill.afterPriceX18, permanentPips, temporaryPips },
})

/** Two sandwiched fills of one block and one of a later, with a benchmark. */
const busy: Attribution = {
  ...data.payload,
  fills: [
    { ...fill, metPriceX18: '3700000000000000', marks: [mark(60, 900, 300), mark(300, 500, 700)] },
    { ...fill, marks: [mark(60, -40, 90), mark(300, 10, 40), mark(1800, 30, 20)] },
    { ...fill, block: { ...block, number: block.number + 3 }, marks: [] },
  ],
  components: { ...data.payload.components!, delay: '-2000000000000000', mev: '3000000000000000' },
  componentsPips: { ...data.payload.componentsPips!, delay: -4000, mev: 2500 },
  benchmark: {
    ...{ pool: fill.legs[0]!.pool, from: block, to: block, dailyVolatilityPips: 60_000 },
    ...{ dailyVolumeBase: '300000000000000000000', expectedPips: 5_700, actualPips: 7_000 },
    ratioPips: 1_228_070,
  },
}

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

it('draws impact and sandwich as one bar where they are not told apart', () => {
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
