// @module-tag long

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  coverageOfLooks,
  coverageOfPassages,
  coverageOfShares,
  coverageTable,
} from '../../test/interval-coverage.ts'

const page = readFileSync(
  new URL('../../../../docs/methodology/statistics.md', import.meta.url),
  'utf8',
)

test('bounds of a first passage cover what the page says of them', () => {
  const rows = coverageTable(coverageOfPassages(4000)).split('\n').slice(2)
  for (const row of rows) expect(page).toContain(row)
})

test('no share of paths, however rare, is covered less than nine times in ten', () => {
  const rows = coverageOfShares(600)
  // Three standard errors of six hundred rounds.
  for (const { coveredPips } of rows) expect(coveredPips).toBeGreaterThan(900_000 - 37_000)
})

test('a sequence holds at every look together as often as the page says, the usual interval far less', () => {
  const rows = coverageTable(coverageOfLooks(1000)).split('\n').slice(2)
  for (const row of rows) expect(page).toContain(row)
})
