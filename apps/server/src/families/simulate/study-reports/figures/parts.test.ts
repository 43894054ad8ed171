import { describe, expect, it } from 'vitest'
import type { FigureData } from '../../../../drawing/figure.ts'
import { inParts } from './parts.ts'

const figure = (subjects: number): FigureData => ({
  id: 'fans',
  kind: 'NET_VS_HOLD',
  title: 'Fans',
  description: 'Of arms',
  columns: [
    { name: 'arm', unit: 'TEXT' },
    { name: 'seconds', unit: 'SECONDS' },
  ],
  rows: Array.from({ length: subjects * 3 }, (_, index) => [`arm ${index % subjects}`, index]),
})
const armOf = (row: FigureData['rows'][number]) => String(row[0])

describe('parts of a figure', () => {
  it('are one where it fits', () => {
    expect(inParts(figure(8), armOf, 8)).toEqual([figure(8)])
    expect(inParts(figure(0), armOf, 8)).toEqual([figure(0)])
  })

  it('have every row once, with similar numbers of subjects and unique names', () => {
    const parts = inParts(figure(11), armOf, 8)
    expect(parts.map(({ id, title }) => [id, title])).toEqual([
      ['fans-1', 'Fans (1 of 2)'],
      ['fans-2', 'Fans (2 of 2)'],
    ])
    expect(parts.map(({ rows }) => new Set(rows.map(armOf)).size)).toEqual([6, 5])
    const all = parts.flatMap(({ rows }) => rows)
    expect(all.toSorted()).toEqual(figure(11).rows.toSorted())
  })
})
