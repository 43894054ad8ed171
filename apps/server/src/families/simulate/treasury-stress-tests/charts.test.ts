import { readFileSync } from 'node:fs'
import { contract } from '@liquidity-os/contract'
import { drawCharts, usualPaper } from '@liquidity-os/drawing'
import { expect, it } from 'vitest'
import { drawnStress, drawStress } from '../../../../../../docs/pictures/draw-stress.ts'
import { stressCharts } from './charts.ts'

type Study = contract.TreasuryStressStudy

const draw = (study: Study) => drawCharts(stressCharts(study), usualPaper)

it('are those of the documentation', () => {
  // Otherwise: node docs/pictures/draw-stress.ts
  for (const [name, svg] of drawStress()) {
    const committed = new URL(`../../../../../../docs/pictures/${name}`, import.meta.url)
    expect(readFileSync(committed, 'utf8')).toBe(svg)
  }
})

it('draw every step of the scenario that loses most, and the limits that break', () => {
  const [waterfall, outcomes, losses] = draw(drawnStress())
  const textsOf = (one: typeof waterfall) =>
    one!.picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  expect(textsOf(waterfall)).toEqual(expect.arrayContaining(['T2 −50 %', 'Restricted longer']))
  expect(textsOf(waterfall).join(' ')).toContain('Scenario: All scenarios combined.')
  expect(textsOf(outcomes).join(' ')).toContain('2 broken')
  expect(textsOf(outcomes).filter((text) => text.startsWith('At '))).toHaveLength(2)
  expect(losses!.rows).toHaveLength(64)
  const paths = losses!.rows.reduce((sum, [, , count]) => sum + Number(count), 0)
  expect(paths).toBe(drawnStress().monteCarlo!.paths)
})

it('show controlled holdings, with asserted ones next to them', () => {
  const study = drawnStress()
  const [first, ...others] = study.scenarios
  const few = { realisableQuote: '100', coveragePips: '10000', runwayMonthsX3: '500', breaches: [] }
  const drivers = [{ subject: 'IMPACT', lossQuote: '900' }]
  const lost = { beforeQuote: '1000', lossQuote: '900', drivers }
  const monteCarlo = study.monteCarlo!
  const histogram = { ...monteCarlo.histogram, fromQuote: '0', toQuote: '64' }
  const [waterfall, outcomes, losses] = stressCharts({
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
  } as Study)
  // Atoms of the quote are cents.
  const notes = outcomes!.table.rows.map(([, , , note]) => note)
  expect(notes.filter((note) => /^1 \+ .* asserted · 1 % · 0.5 months/.test(note!))).toHaveLength(2)
  expect(outcomes!.notes!.filter((text) => text.startsWith('Without a shock'))).toHaveLength(2)
  expect(waterfall!.table.rows.slice(0, 3).map((row) => row.slice(0, 4))).toEqual([
    [first!.label, 'Mark-to-market value', null, '10'],
    [first!.label, 'Sale costs', '-9', null],
    [first!.label, 'Liquidation value', null, '1'],
  ])
  expect(losses!.table.rows.at(-1)!.slice(0, 2)).toEqual(['0.63', '0.64'])
  for (const { summary } of [waterfall!, outcomes!, losses!])
    expect(summary).toContain('proven and attested')
  expect(contract.treasuryStressTestsFamily.ui.head).toEqual([
    'payload.before.controlled.realisableQuote',
    'payload.before.controlled.runwayMonthsX3',
  ])
})

it('state that nothing was computed', () => {
  const none = { ...drawnStress(), before: null, scenarios: [], monteCarlo: null, reverse: [] }
  const texts = draw(none as unknown as Study).map(({ picture }) =>
    picture.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : [])),
  )
  expect(texts).toEqual([
    ['No scenario was computed.'],
    ['No holding has a price.'],
    ['No simulated paths.'],
  ])
})
