import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawMarkets } from '../../../docs/methodology/pictures/markets.ts'

test.each(Object.entries(drawMarkets()))('%s is what the engine draws now', (name, svg) => {
  const file = new URL(`../../../docs/methodology/pictures/${name}`, import.meta.url)
  // Otherwise: node docs/methodology/pictures/markets.ts
  expect(readFileSync(file, 'utf8')).toBe(svg)
})
