import { readFileSync } from 'node:fs'
import { drawCharts, pictureToSvg, usualPaper } from '@liquidity-os/drawing'
import { misplacedTexts } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import { drawnScore, drawScore } from '../../../../../../docs/pictures/draw-score.ts'
import type { ScorePayload } from './active-score.ts'
import { scoreCharts } from './charts.ts'

const scorePictures = (of: ScorePayload) => drawCharts(scoreCharts(of), usualPaper)

const score = await drawnScore()
const abstained: ScorePayload = {
  ...score,
  state: 'ABSTAINED',
  reasons: ['NO_DEPTH'],
  indicativeScorePips: null,
  interval90: null,
  passportClaims: null,
  depth: [],
  components: score.components.map((one) => ({ ...one, raw: null, subScorePips: null })),
  course: score.course.map(({ from }) => ({
    from,
    samples: 0,
    midX18: null,
    depthBuyQuote: null,
    depthSellQuote: null,
    slippagePips: null,
    spreadPips: null,
    deviationPips: null,
  })),
}
const complete: ScorePayload = {
  ...score,
  state: 'COMPLETED',
  scorePips: 500_000,
  indicativeScorePips: null,
  grade: 'D',
  interval90: [400_000, 600_000],
  caps: ['CRITICAL_ANOMALY'],
}

describe.each([
  ['of a partial score', score],
  ['of a complete one', complete],
  ['of an abstention', abstained],
])('pictures %s', (_, of) => {
  it.each(scorePictures(of).map((one) => [one.picture.id, one] as const))(
    '%s stay inside their frame, without a figure that is none',
    (_id, { picture }) => {
      const svg = pictureToSvg(picture)
      expect(svg).not.toMatch(/NaN|Infinity|undefined/)
      expect(misplacedTexts(picture)).toEqual([])
      for (const shape of picture.shapes) {
        if (shape.kind !== 'rect') continue
        expect(shape.width).toBeGreaterThanOrEqual(0)
        expect(shape.x).toBeGreaterThanOrEqual(0)
        expect(shape.x + shape.width).toBeLessThanOrEqual(picture.width)
        expect(shape.y + shape.height).toBeLessThanOrEqual(picture.height)
      }
    },
  )
})

const textsOf = (of: ScorePayload) =>
  scorePictures(of)[0]!.picture.shapes.flatMap((shape) => ('text' in shape ? [shape.text] : []))

it('note next to a full flow integrity that account funding was not read', () => {
  const components = complete.components.map((one) =>
    one.code === 'FLOW_INTEGRITY'
      ? { ...one, raw: '1000000', subScorePips: 1_000_000, contributionPips: one.weightPips }
      : one,
  )
  const gaps = [{ code: 'FUNDING_NOT_READ', detail: 'Not read.' }]
  const score = { ...complete, components, evidence: { ...complete.evidence, gaps } }
  expect(textsOf(score)).toContain('5.0 of 5.0: 100 %, funding not read')
  const together = [...gaps, { code: 'TRADERS_FUNDED_TOGETHER', detail: '6 of 6 traders.' }]
  const funded = { ...score, evidence: { ...score.evidence, gaps: together } }
  expect(textsOf(funded)).toContain('5.0 of 5.0: 100 %, traders funded together')
  const read = { ...score, evidence: { ...score.evidence, gaps: [] } }
  expect(textsOf(read)).toContain('5.0 of 5.0: 100 %')
})

it('say the score, its cap, and why there is none', () => {
  expect(textsOf(complete)).toEqual(
    expect.arrayContaining(['50.0 of 100, grade D', 'Capped by: Critical anomaly.']),
  )
  expect(textsOf(abstained)).toContain('No score: No depth')
  expect(textsOf(abstained).filter((text) => text === 'no data')).toHaveLength(9)
})

it('are those of the documentation', async () => {
  for (const [name, svg] of await drawScore()) {
    const file = new URL(`../../../../../../docs/pictures/${name}`, import.meta.url)
    // Otherwise: node docs/pictures/draw-score.ts
    expect(svg).toBe(readFileSync(file, 'utf8'))
  }
})
