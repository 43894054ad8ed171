import { drawChart, screenPaper } from '@liquidity-os/drawing'
import { describe, expect, it } from 'vitest'
import { picturedRecords } from '../../../testing/pictured-records.ts'
import { type DrawnPack, figureText, packCharts } from './charts.ts'

const packs = picturedRecords['operate/decision-packs']!() as DrawnPack[]

describe.each(packs.map((pack, index) => [index, pack] as const))('a packet, %i', (_, drawn) => {
  it.each([280, 760, 1200])('shows every figure with its unit, uncut, %i wide', (width) => {
    const { shapes } = drawChart(packCharts(drawn)[0]!, screenPaper(width)).picture
    const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
    const { payload } = drawn
    const figures = payload.comparison.rows
      .slice(0, 24)
      .flatMap((row) => row.cells.map((_, index) => figureText(payload, row, index)))
    // A long text continues in the next line.
    const page = texts.join('').replaceAll(' ', '')
    for (const text of figures) expect(page).toContain(text.replaceAll(' ', ''))
  })

  it('shows a row for each required approval', () => {
    const { rows } = packCharts(drawn)[1]!.table
    const { approvals, quorum, evidence } = drawn.payload
    const places = rows.filter(([name]) => name!.startsWith('Approval '))
    expect(places).toHaveLength(Math.max(approvals.length, quorum.approvals))
    expect(rows).toHaveLength(places.length + evidence.length)
  })
})
