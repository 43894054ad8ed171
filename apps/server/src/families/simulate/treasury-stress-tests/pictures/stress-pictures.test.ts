import { readFileSync } from 'node:fs'
import { contract } from '@liquidity-os/contract'
import { usualPaper } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import { drawnStress, drawStress } from '../../../../../../../docs/pictures/draw-stress.ts'
import draw from './draw-task.ts'

type Study = contract.TreasuryStressStudy

it('are those of the documentation', () => {
  // Otherwise: node docs/pictures/draw-stress.ts
  for (const [name, svg] of drawStress()) {
    const committed = new URL(`../../../../../../../docs/pictures/${name}`, import.meta.url)
    expect(readFileSync(committed, 'utf8')).toBe(svg)
  }
})

it('draw every step of the scenario that loses most, and say what breaks', () => {
  const [waterfall, outcomes, losses] = draw(drawnStress() as Study, usualPaper)
  const words = (one: typeof waterfall) =>
    one!.picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(words(waterfall)).toEqual(
    expect.arrayContaining(['All scenarios combined', 'T2 −50 %', 'restricted longer']),
  )
  expect(words(outcomes)).toContain('2 broken')
  expect(words(outcomes).filter((text) => text.startsWith('At '))).toHaveLength(2)
  expect(losses!.rows).toHaveLength(64)
})

it('show controlled holdings, with asserted ones next to them', () => {
  const study = drawnStress() as Study
  const [first, ...others] = study.scenarios
  const few = { realisableQuote: '100', coveragePips: '10000', runwayMonthsX3: '500', breaches: [] }
  const drivers = [{ subject: 'IMPACT', lossQuote: '900' }]
  const lost = { beforeQuote: '1000', lossQuote: '900', drivers }
  const monteCarlo = study.monteCarlo!
  const histogram = { ...monteCarlo.histogram, fromQuote: '0', toQuote: '64' }
  const drawn = draw(
    {
      ...study,
      before: { ...study.before!, controlled: { ...study.before!.controlled!, ...few } },
      scenarios: [
        { ...first!, controlled: { ...first!.controlled!, ...few, ...lost } },
        ...others.map(({ controlled, ...one }) => ({
          ...one,
          counted: { ...one.counted, lossQuote: '0' },
        })),
      ],
      reverse: study.reverse.map((one) => ({
        ...one,
        controlled: { ...one.controlled!, severityX6: 0, reached: true },
      })),
      monteCarlo: { ...monteCarlo, controlled: { ...monteCarlo.controlled!, histogram } },
    } as Study,
    usualPaper,
  )
  const [waterfall, outcomes, losses] = drawn
  const words = outcomes!.picture.shapes.flatMap((one) => (one.kind === 'text' ? [one.text] : []))
  // Atoms of the quote are cents.
  expect(words.filter((text) => /^1 \+ .* asserted$/.test(text))).toHaveLength(2)
  expect(words).toEqual(expect.arrayContaining(['1 %', '0.5']))
  expect(words.filter((text) => text.startsWith('Without a shock'))).toHaveLength(2)
  expect(waterfall!.rows.slice(0, 3)).toEqual([
    [first!.scenarioId, 'mark-to-market value', '1000'],
    [first!.scenarioId, 'IMPACT', '900'],
    [first!.scenarioId, 'liquidation value', '100'],
  ])
  expect(losses!.rows.at(-1)![0]).toBe(63)
  for (const { picture } of drawn) expect(picture.description).toContain('proven and attested')
  expect(contract.treasuryStressTestsFamily.ui.head).toEqual([
    'payload.before.controlled.realisableQuote',
    'payload.before.controlled.runwayMonthsX3',
  ])
})

it('say so where nothing was computed', () => {
  const none = { ...drawnStress(), before: null, scenarios: [], monteCarlo: null, reverse: [] }
  const drawn = draw(none as unknown as Study, usualPaper)
  expect(drawn.map(({ picture }) => picture.id)).toEqual([
    ...['stress-waterfall', 'stress-outcomes', 'stress-losses'],
  ])
})
