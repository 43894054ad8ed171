// @module-tag long

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  bandTable,
  type Characteristic,
  collapseCharacteristic,
  curveTable,
  measureCollapses,
  measurePeg,
  pegCharacteristic,
} from '../../test/detector-real-series.ts'

const page = readFileSync(
  new URL('../../../../docs/methodology/anomaly-detector.md', import.meta.url),
  'utf8',
).replaceAll(/\s+/g, ' ')

test('a peg that was lost in 2023 is told at once, and without a false alarm', () => {
  const lost = measurePeg('usdc_2023-03-09_to_19_depeg.csv')
  expect(lost.awayFound / lost.away).toBeGreaterThan(0.99)
  expect(lost.barsToWarning).toBeLessThan(3)
  expect(lost.falseEpisodes).toBe(0)
  expect(page).toContain(
    `| ${lost.bars} | ${lost.awayFound} of ${lost.away} | ${lost.falseWarnings} of ${lost.near} |`,
  )
})

test('a calm month of the same coin gives no alarm', () => {
  const calm = measurePeg('usdc_2024-03_calm.csv')
  expect([calm.away, calm.falseWarnings]).toEqual([0, 0])
  expect(page).toContain(`| ${calm.bars} | none to find | ${calm.falseWarnings} of ${calm.near} |`)
})

test('what small tokens hide from the detector is published', () => {
  const found = measureCollapses()
  expect(found.falseEpisodes / (found.poolHours / 720)).toBeLessThan(1)
  expect(page).toContain(
    `${found.pools} pools, ${found.poolHours.toLocaleString('en')} judged hours`,
  )
  expect(page).toContain(
    `**${found.collapsesFound} of ${found.collapsed}** falls were told as WARNING, ${found.collapsesTold} as INFO`,
  )
  expect(page).toContain(`${found.falseEpisodes} false alarms`)
  expect(page).toContain(`In ${found.tooYoung} pools`)
})

test.each([
  ['of the peg', pegCharacteristic, 'distance from the peg', 844 + 1029],
  ['of small tokens', collapseCharacteristic, 'depth gone in three days', 11_932],
])('bands and curve %s leave no bar out, and the page prints them', (_, measure, name, judged) => {
  const found: Characteristic = measure()
  expect(found.bands.reduce((sum, { bars }) => sum + bars, 0)).toBe(judged)
  for (const { positives, negatives } of found.curve) expect(positives + negatives).toBe(judged)
  const rows = [...bandTable(found, name).split('\n'), ...curveTable(found).split('\n')]
  for (const row of rows) expect(page).toContain(row)
})
