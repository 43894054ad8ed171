import { type Drawing, pictureToSvg, screenPaper, spotsOfSvg } from '@liquidity-os/drawing'
import { describe, expect, it } from 'vitest'
import { drawnPlan } from '../../../../docs/pictures/draw-allocation.ts'
import { drawnAnomaly, drawnMarket } from '../../../../docs/pictures/draw-market.ts'
import { drawnScore } from '../../../../docs/pictures/draw-score.ts'
import { busyAttribution } from '../families/intelligence/attributions/pictures/testing/busy-attribution.ts'

const families = new URL('../families/', import.meta.url)

/** Records with pictures that are plots, and the names of those. */
const plots: Readonly<
  Record<string, { readonly of: () => object | Promise<object>; readonly names: readonly string[] }>
> = {
  'intelligence/market-map': { of: () => drawnMarket, names: ['map-depth', 'map-costs'] },
  'intelligence/scores': { of: drawnScore, names: ['score-course'] },
  'intelligence/anomalies': { of: () => drawnAnomaly, names: ['anomaly-timeline'] },
  'intelligence/attributions': {
    of: () => busyAttribution,
    names: ['attribution.fills', 'attribution.waterfall', 'attribution.markouts'],
  },
  'plan/allocation-plans': {
    of: async () => (await drawnPlan()).payload,
    names: ['allocation-frontier'],
  },
}

describe.each(Object.entries(plots))('the plots of %s', (family, { of, names }) => {
  it.each([360, 1080])(
    'carry where the rows of their tables stand, %i pixels wide',
    async (width) => {
      const { default: draw } = (await import(
        new URL(`${family}/pictures/draw-task.ts`, families).href
      )) as { default: (subject: object, paper: object) => Drawing[] | Promise<Drawing[]> }
      const drawn = await draw(await of(), screenPaper(width))
      const found = new Map(drawn.map((one) => [one.picture.id, one]))
      for (const name of names) {
        const { picture, rows } = found.get(name)!
        const spots = spotsOfSvg(pictureToSvg(picture))
        expect(spots.length, name).toBeGreaterThan(1)
        for (const { x, y, row, series } of spots) {
          expect(rows[row], name).toBeDefined()
          expect(series, name).not.toBe('')
          expect(x >= 0 && x <= picture.width && y >= 0 && y <= picture.height, name).toBe(true)
        }
        // No two rows of one series lie on each other wholly.
        expect(
          new Set(spots.map(({ x, y, row, series }) => `${series} ${row} ${x} ${y}`)).size,
        ).toBe(spots.length)
      }
    },
  )
})
