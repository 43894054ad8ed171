import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { printOutline } from './print-outline.ts'

it('equals the printed contract: run `npm run openapi` after a change', () => {
  const committed = new URL('generated/outline.json', import.meta.url)
  expect(readFileSync(committed, 'utf8')).toBe(printOutline())
})
