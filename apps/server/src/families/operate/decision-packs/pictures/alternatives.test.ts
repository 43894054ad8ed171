import { screenPaper } from '@liquidity-os/drawing'
import { describe, expect, it } from 'vitest'
import { picturedRecords } from '../../../../testing/pictured-records.ts'
import { cellWords } from './alternative-parts.ts'
import { drawAlternatives } from './alternatives.ts'
import type { DrawnPack } from './drawn-pack.ts'

const packs = picturedRecords['operate/decision-packs']!() as DrawnPack[]

describe.each(packs.map((pack, index) => [index, pack] as const))('a pack, %i', (_, drawn) => {
  it.each([280, 760, 1200])('says every figure with its unit, uncut, %i wide', (width) => {
    const { shapes } = drawAlternatives(drawn, screenPaper(width)).picture
    const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
    const { payload } = drawn
    const lines = payload.comparison.rows
      .slice(0, 24)
      .flatMap((row) =>
        row.cells.flatMap((_, index) => Object.values(cellWords(payload, row, index))),
      )
    // What has no room goes on in the next line, wherever it is broken.
    const page = texts.join('').replaceAll(' ', '')
    for (const words of lines) expect(page).toContain(words.replaceAll(' ', ''))
  })
})
