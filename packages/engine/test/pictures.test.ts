import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawAll } from '../../../docs/methodology/pictures/draw.ts'

test('the charts of the methodology equal the output of the engine', () => {
  for (const [name, svg] of Object.entries(drawAll())) {
    const file = new URL(`../../../docs/methodology/pictures/${name}`, import.meta.url)
    expect(readFileSync(file, 'utf8'), name).toBe(svg)
  }
})
