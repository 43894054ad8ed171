import { type contract, responseExamples } from '@liquidity-os/contract'
import { screenPaper } from '@liquidity-os/drawing'
import { misplacedTexts } from '@liquidity-os/drawing/testing'
import { describe, expect, it } from 'vitest'
import { changesBetween } from './changes.ts'
import type { Reading } from './drawn.ts'
import drawProject from './pictures/draw-task.ts'

/** A reading is never changed; one that a test makes is. */
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T
type Analysis = Writable<contract.PublicProjectAnalysis>

const examples = responseExamples as unknown as Record<string, { data: { payload: Reading } }>
// The example is in the file of examples, as a test of all operations holds.
const first = examples.getSavedProjectObservation!.data.payload

/** The reading after one, in which something is otherwise. */
function after(before: Reading, day: number, change: (analysis: Analysis) => void): Reading {
  const analysis = structuredClone(before.analysis) as Analysis
  const display = { ...analysis.display, asOf: `2026-01-0${day}T10:00:00.000Z` }
  const next = { ...analysis, display }
  change(next)
  return {
    ...before,
    version: before.version + 1,
    analysis: next,
    changes: changesBetween(before.analysis, next),
  }
}

const times = (analysis: Analysis, tenths: bigint) => {
  for (const pool of analysis.pools) {
    for (const fact of [pool.heldBase, pool.heldQuote, pool.reserveBase, pool.reserveQuote]) {
      if (fact.value !== null) fact.value = `${(BigInt(fact.value) * tenths) / 10n}`
    }
  }
}
const second = after(first, 2, (analysis) => times(analysis, 20n))
const third = after(second, 3, (analysis) => {
  analysis.control.mint.value = 'SELECTOR'
  analysis.control.owner.value = `0x${'ab'.repeat(20)}`
  analysis.control.ownerKind.value = 'SAFE'
  analysis.control.pause.value = null
  for (const pool of analysis.pools) pool.heldQuote.value = null
})
const gone = after(third, 4, (analysis) => {
  analysis.pools = []
})

const textsOf = (readings: Reading[]) =>
  drawProject({ label: 'ENS', readings }).map(({ picture }) =>
    picture.shapes.flatMap((shape) => ('text' in shape ? [shape.text] : [])),
  )

describe.each([
  ['nothing', []],
  ['a first reading', [first]],
  ['a second one', [first, second]],
  ['one that could not read everything', [first, second, third]],
  ['one without a pool', [second, third, gone]],
])('pictures of %s', (_, readings: Reading[]) => {
  it('keep their words apart and inside, and give their figures', () => {
    for (const { picture, columns, rows } of drawProject({ label: 'ENS', readings })) {
      expect(misplacedTexts(picture)).toEqual([])
      expect(picture.description).not.toMatch(/undefined|null|NaN/)
      for (const row of rows) expect(row).toHaveLength(columns.length)
    }
  })
})

it('show amounts in tokens with their change, and unread values as unread', () => {
  const [changes = [], holdings = [], control = []] = textsOf([first, second])
  expect(changes).toContain('+100 %')
  expect(changes.some((text) => /^[\d,.]+ WETH$/.test(text))).toBe(true)
  expect(holdings.join(' ')).toContain('+100.0 % since the first shown')
  expect(control.filter((text) => text === 'no finding')).toHaveLength(4)
  const [later = [], held = [], who = []] = textsOf([first, second, third])
  expect(later).toEqual(expect.arrayContaining(['in code', 'a Safe', 'unknown']))
  expect(held.join(' ')).toContain('not read')
  expect(who).toContain('its code has a mint function: a hint, not proof of who can call it')
  expect(who).toContain('could not be read')
})

it('say the digits of a small price on a narrow screen, where its zeros alone would have room', () => {
  const cheap = after(first, 2, (analysis) => {
    for (const pool of analysis.pools) pool.midX36.value = '123456000000000000000000'
  })
  const [changes] = drawProject({ label: 'ENS', readings: [first, cheap] }, screenPaper(280))
  const texts = changes!.picture.shapes.flatMap((shape) => ('text' in shape ? [shape.text] : []))
  expect(texts.join(' ')).toContain('123.456·10⁻¹⁵')
})
