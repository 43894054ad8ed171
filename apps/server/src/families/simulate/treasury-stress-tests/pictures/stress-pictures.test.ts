import { readFileSync } from 'node:fs'
import type { contract } from '@liquidity-os/contract'
import { usualPaper } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import { drawnStress, drawStress } from '../../../../../../../docs/pictures/draw-stress.ts'
import draw from './draw-task.ts'

type Study = contract.TreasuryStressStudy

it('are those of the documentation', () => {
  // Otherwise: node docs/pictures/draw-stress.ts
  for (const [name, svg] of drawStress()) {
    const kept = new URL(`../../../../../../../docs/pictures/${name}`, import.meta.url)
    expect(readFileSync(kept, 'utf8')).toBe(svg)
  }
})

it('draw every step of the scenario that loses most, and say what breaks', () => {
  const [waterfall, outcomes, losses] = draw(drawnStress() as Study, usualPaper)
  const words = (one: typeof waterfall) =>
    one!.picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(words(waterfall)).toEqual(
    expect.arrayContaining(['All of them together', 'T2 −50 %', 'restricted for longer']),
  )
  expect(words(outcomes)).toContain('2 broken')
  expect(words(outcomes).filter((text) => text.startsWith('At '))).toHaveLength(2)
  expect(losses!.rows).toHaveLength(64)
})

it('say so where nothing was computed', () => {
  const none = { ...drawnStress(), before: null, scenarios: [], monteCarlo: null, reverse: [] }
  const drawn = draw(none as unknown as Study, usualPaper)
  expect(drawn.map(({ picture }) => picture.id)).toEqual([
    ...['stress-waterfall', 'stress-outcomes', 'stress-losses'],
  ])
})
