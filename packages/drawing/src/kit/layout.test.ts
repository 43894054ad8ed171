import { describe, expect, it } from 'vitest'
import { screenPaper, usualPaper } from '../paper.ts'
import { pictureToSvg } from '../svg.ts'
import { moreCharts, sampleCharts, tableOf } from '../testing/sample-charts.ts'
import { unreadable } from '../testing/texts.ts'
import { drawChart, layout, type Scene } from './layout.ts'
import { type ChartKind, type ChartSpec, chartKinds } from './spec.ts'
import { darkTheme, lightTheme } from './theme.ts'

const widths = [280, 320, 360, 760, 1200]
const textsOf = ({ shapes }: Scene) =>
  shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
const shapesOf = (spec: ChartSpec, width = 760) => layout(spec, width).shapes

/** Cells of a sample with other values: numbers become those of `change`. */
const changed = (spec: ChartSpec, change: (cell: string | null) => string | null): ChartSpec => ({
  ...spec,
  table: { ...spec.table, rows: spec.table.rows.map((row) => row.map(change)) },
})
const isNumber = (cell: string | null) => cell !== null && /^-?[\d.]+$/.test(cell)
const long = `A very long name of a venue ${'that does not end '.repeat(6)}0x${'4f'.repeat(20)}`

const variants: Readonly<Record<string, (spec: ChartSpec) => ChartSpec>> = {
  'as it is': (spec) => spec,
  'no rows': (spec) => ({ ...spec, table: { ...spec.table, rows: [] } }),
  'one row': (spec) => ({ ...spec, table: { ...spec.table, rows: spec.table.rows.slice(0, 1) } }),
  'negative values': (spec) => changed(spec, (cell) => (isNumber(cell) ? `-${cell}` : cell)),
  'only gaps': (spec) => changed(spec, (cell) => (isNumber(cell) ? null : cell)),
  zeros: (spec) => changed(spec, (cell) => (isNumber(cell) ? '0' : cell)),
  'the largest values': (spec) =>
    changed(spec, (cell) => (isNumber(cell) ? `${10n ** 77n}` : cell)),
  'the smallest values': (spec) => changed(spec, (cell) => (isNumber(cell) ? '1e-18' : cell)),
  'long labels': (spec) => ({
    ...changed(spec, (cell) => (cell !== null && /^[A-Z]/.test(cell) ? `${cell} ${long}` : cell)),
    series: spec.series.map((one) => ({ ...one, label: `${one.label} ${long}` })),
    classes: (spec.classes ?? []).map((one) => ({ ...one, label: `${one.label} ${long}` })),
    x: { ...spec.x, label: long },
  }),
  'a logarithmic axis': (spec) => ({ ...spec, ...(spec.y && { y: { ...spec.y, scale: 'log' } }) }),
  'many rows': (spec) => ({
    ...spec,
    table: {
      ...spec.table,
      rows: Array.from({ length: 60 }, (_, index) => {
        const row = spec.table.rows[index % spec.table.rows.length]!
        return row.map((cell, at) =>
          at === 0 && cell !== null && /^[A-Z]/.test(cell) ? `${cell} ${index}` : cell,
        )
      }),
    },
  }),
}

describe.each(chartKinds)('a chart of kind %s', (kind: ChartKind) => {
  it.each(Object.keys(variants))('is readable at every width with %s', (variant) => {
    const spec = variants[variant]!(sampleCharts[kind])
    for (const width of widths) {
      const scene = layout(spec, width)
      expect(scene.width).toBe(width)
      expect(unreadable(scene), `${width}`).toEqual([])
      expect(pictureToSvg(scene)).not.toMatch(/NaN|Infinity|undefined|null/)
      expect(scene.shapes.length).toBeLessThan(6000)
      for (const { x, y, row, series } of scene.spots ?? []) {
        expect(x >= 0 && x <= width && y >= 0 && y <= scene.height).toBe(true)
        expect(spec.table.rows[row]).toBeDefined()
        expect(series).not.toBe('')
      }
    }
  })

  it('is the same every time, in each theme', () => {
    const spec = sampleCharts[kind]
    const svgOf = (theme = lightTheme) => pictureToSvg(layout(spec, 760, theme))
    expect(svgOf()).toBe(svgOf())
    expect(svgOf(darkTheme)).not.toContain(lightTheme.grid)
    expect(svgOf(darkTheme)).not.toContain(`"${lightTheme.paper}"`)
  })

  it('says so in one sentence if its table is empty', () => {
    const spec = { ...sampleCharts[kind], empty: 'No venue has depth.' }
    const texts = textsOf(layout({ ...spec, table: { ...spec.table, rows: [] } }, 320))
    expect(texts).toContain('No venue has depth.')
  })
})

describe.each(Object.entries(moreCharts))('a chart of %s', (_name, sample) => {
  it.each(Object.keys(variants))('is readable at every width with %s', (variant) => {
    const spec = variants[variant]!(sample)
    for (const width of widths) {
      const scene = layout(spec, width)
      expect(unreadable(scene), `${width}`).toEqual([])
      expect(pictureToSvg(scene)).not.toMatch(/NaN|Infinity|undefined|null/)
    }
  })
})

it('gives each value axis its own ticks', () => {
  const texts = textsOf(layout(moreCharts.twoAxes!, 760))
  expect(texts).toEqual(expect.arrayContaining(['Amount, WETH', 'Price, WETH', '6', '60']))
})

it('stacks negative bars below zero', () => {
  const rects = shapesOf(moreCharts.months!).filter((one) => one.kind === 'rect')
  // Three legend samples, then 30 months per series.
  const [inflow, outflow] = [rects[3]!, rects[33]!]
  expect(inflow.y + inflow.height).toBeCloseTo(outflow.y, 5)
  expect(inflow.x).toBeCloseTo(outflow.x, 5)
})

it('draws bands of one stack over each other, in one color', () => {
  const { series } = moreCharts.fan!
  const inner = { ...series[0]!, id: 'inner', label: 'p5 to median', y: ['p5', 'balance'] }
  const bands = shapesOf({ ...moreCharts.fan!, series: [inner, ...series] }).filter(
    (one) => one.kind === 'area',
  )
  const [low, high] = bands
  expect(low!.fill).toBe(high!.fill)
  expect(low!.points.at(-1)).toEqual(high!.points.at(-1))
})

it('draws no area where a stacked series has no rows', () => {
  const rows = ['a', 'b'].flatMap((name) =>
    [1, 2, 3, 4].flatMap((day) => (name === 'b' && day < 3 ? [] : [[name, `${day}`, '100']])),
  )
  const series = (name: string) =>
    ({
      id: name,
      label: name,
      mark: 'area',
      role: 'observed',
      x: 'day',
      y: ['amount'],
      where: { name },
      stack: 'all',
    }) as const
  const spec: ChartSpec = {
    id: 'stack',
    kind: 'xy',
    title: 'Stack',
    summary: 'Two series.',
    x: { label: 'Day', unit: '', scale: 'linear' },
    y: { label: 'Amount', unit: 'WETH', scale: 'linear' },
    table: {
      columns: ['name', 'day', 'amount'].map((key) => ({ key, label: key, unit: '' })),
      rows,
    },
    series: [series('a'), series('b')],
  }
  const areas = shapesOf(spec).flatMap((one) =>
    one.kind === 'area' && one.opacity === 0.3 ? [one.points] : [],
  )
  const [a, b] = areas.map((points) =>
    [...Map.groupBy(points, ({ x }) => x).values()].map((same) =>
      Math.min(...same.map(({ y }) => y)),
    ),
  )
  // The upper edge of b is that of a on days 1 and 2, and twice as high from day 3.
  expect(b!.slice(0, 2)).toEqual(a!.slice(0, 2))
  expect(b![2]).toBeLessThan(a![2]!)
})

it('keeps a gap in a stacked area', () => {
  const area = (id: string) => ({
    id,
    label: id,
    mark: 'area' as const,
    role: 'observed' as const,
    x: 'x',
    y: [id],
    stack: 'all',
  })
  const rows = [
    ['0', '1', '2'],
    ['1', '2', null],
    ['2', '2', '3'],
    ['3', '1', '2'],
  ]
  const scene = layout(
    {
      ...sampleCharts.xy,
      x: { label: 'Price', unit: 'WETH', scale: 'linear' },
      table: tableOf(['x', 'a', 'b'], rows),
      series: [area('a'), area('b')],
      markers: [],
      gaps: [],
    },
    320,
  )
  const areas = scene.shapes.filter((one) => one.kind === 'area' && one.opacity === 0.3)
  // The lower one is whole; of the upper one two places are left, and one before the gap.
  expect(areas.map((one) => (one.kind === 'area' ? one.points.length : 0))).toEqual([4, 4, 8, 4])
})

it('has a bounded number of shapes for many points', () => {
  const rows = Array.from({ length: 1200 }, (_, i) => [`${i}`, ...Array(6).fill(`${i % 7}`)])
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const scene = layout(
    {
      ...sampleCharts.xy,
      x: { label: 'Block', unit: '', scale: 'linear' },
      table: tableOf(['x', ...names], rows),
      series: names.map((id) => ({
        ...sampleCharts.xy.series[1]!,
        id,
        label: id,
        x: 'x',
        y: [id],
      })),
      markers: [],
      gaps: [],
    },
    1200,
  )
  expect(scene.shapes.length).toBeLessThan(200)
  expect(scene.spots).toHaveLength(7200)
})

it('breaks a line at a gap, hatches it and gives the reason', () => {
  const lines = shapesOf(sampleCharts.xy).filter(
    (one) => one.kind === 'line' && one.points.length > 5,
  )
  // Two stretches with two edges of the interval, and two of the price; the target has no gap.
  expect(lines.map((one) => (one.kind === 'line' ? one.points.length : 0))).toEqual([
    9, 9, 12, 12, 9, 12, 24,
  ])
  expect(textsOf(layout(sampleCharts.xy, 320))).toContain('Hatched: the provider did not answer')
})

it('counts values that a logarithmic axis cannot show', () => {
  const spec: ChartSpec = {
    ...sampleCharts.xy,
    x: { label: 'Size', unit: 'WETH', scale: 'log' },
    table: tableOf(
      ['size', 'cost'],
      [
        ['0', '1'],
        ['1', '2'],
        ['100', '-4'],
        ['10000', '9'],
      ],
    ),
    series: [{ id: 'cost', label: 'Cost', mark: 'line', role: 'observed', x: 'size', y: ['cost'] }],
    markers: [],
    gaps: [],
  }
  const texts = textsOf(layout(spec, 760))
  expect(texts).toContain('1 value at or below zero omitted from the logarithmic axis.')
  expect(texts).toEqual(expect.arrayContaining(['1', '10', '100', '1,000', '10,000']))
})

it('adds the steps of a waterfall to its total, with losses hatched', () => {
  const rects = shapesOf(sampleCharts.waterfall).filter((one) => one.kind === 'rect')
  const [hold, fees, loss, costs, net] = rects
  expect(fees!.x).toBeCloseTo(hold!.x + hold!.width, 5)
  expect(loss!.x + loss!.width).toBeCloseTo(fees!.x + fees!.width, 5)
  expect(net!.x + net!.width).toBeCloseTo(costs!.x, 5)
  expect(loss!.fill).toBeNull()
  expect(textsOf(layout(sampleCharts.waterfall, 320))).toEqual(
    expect.arrayContaining(['+1.66', '−2.91', '10.73']),
  )
})

it('stacks bars and marks missing data', () => {
  const scene = layout(sampleCharts.bars, 760)
  expect(textsOf(scene)).toEqual(expect.arrayContaining(['31 · 25', 'no data']))
  const [whole] = scene.shapes.filter(
    (one) => one.kind === 'rect' && one.fill === lightTheme.series[0],
  )
  expect(whole).toBeDefined()
})

it('leads the keys of a reader along each series of a plot', () => {
  const spots = layout(sampleCharts.xy, 760).spots ?? []
  expect(spots.filter(({ series }) => series === 'Price')).toHaveLength(21)
  const places = spots.map(({ x }) => x)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

it('draws an edge that leads back without an end', () => {
  const texts = textsOf(layout(sampleCharts.path, 760))
  expect(texts.filter((text) => text === 'Token DEMO')).toHaveLength(1)
})

it('has a table for its reader, and spots only on a screen', () => {
  const { picture, columns, rows } = drawChart(sampleCharts.xy, screenPaper(360))
  expect(columns).toContain('Price, WETH')
  expect(rows).toHaveLength(24)
  expect(picture.spots?.length).toBeGreaterThan(20)
  expect(drawChart(sampleCharts.xy, usualPaper).picture.spots).toBeUndefined()
})

it('refuses a column that the table lacks, and a width that no screen has', () => {
  const spec = { ...sampleCharts.bars, note: 'words' }
  expect(() => layout(spec, 760)).toThrow('column words')
  expect(() => layout(sampleCharts.bars, 200)).toThrow(RangeError)
})

it('draws upright intervals at their place of the axis', () => {
  const { series } = sampleCharts.xy
  const intervals = { ...sampleCharts.xy, series: [{ ...series[0]!, mark: 'interval' } as const] }
  const lines = shapesOf(intervals).filter((one) => one.kind === 'line')
  const stems = lines.filter(
    ({ points: [a, b], stroke: { width } }) => a?.x === b?.x && width === 1.6,
  )
  const known = intervals.table.rows.filter(([, value]) => value !== null)
  expect(stems).toHaveLength(known.length)
})

it('draws points of a row on an axis without zero, unless the axis has it', () => {
  const names = { label: '', unit: '', scale: 'band' } as const
  const spec: ChartSpec = {
    ...sampleCharts.intervals,
    x: names,
    y: { label: 'Price', unit: 'WETH', scale: 'linear', zero: false },
    table: tableOf(
      ['name', 'price'],
      [
        ['Offer', '2990'],
        ['Pool', '3010'],
      ],
    ),
    series: [
      { id: 'price', label: 'Price', mark: 'point', role: 'observed', x: 'name', y: ['price'] },
    ],
    note: 'name',
  }
  expect(textsOf(layout(spec, 760))).not.toContain('0')
  const zero = { ...spec, y: { ...spec.y!, zero: true } }
  expect(textsOf(layout(zero, 760))).toContain('0')
})

it('draws an edge with a larger amount wider', () => {
  const spec: ChartSpec = {
    ...sampleCharts.path,
    table: tableOf(
      ['from', 'to', 'amount'],
      [
        ['Safe', 'Pool', '9'],
        ['Safe', 'Vault', '3'],
      ],
    ),
    series: [
      { id: 'flow', label: 'Flow', mark: 'edge', role: 'observed', x: 'from', y: ['to', 'amount'] },
    ],
    note: 'amount',
  }
  const widths = shapesOf({ ...spec, classes: [] }).flatMap((shape) =>
    shape.kind === 'line' && shape.points.length > 2 ? [shape.stroke.width] : [],
  )
  expect(widths[0]).toBeCloseTo(3 * widths[1]!, 9)
})

it('names a series with classes by its classes only', () => {
  const { series, ...spec } = sampleCharts.timeline
  const planned = { ...series[0]!, id: 'planned', label: 'Planned', mark: 'tick' } as const
  const classed = { ...series[0]!, label: 'Step' }
  const { class: _, ...unclassed } = planned
  const texts = textsOf(layout({ ...spec, series: [classed, unclassed] }, 760))
  expect(texts).toContain('Planned')
  expect(texts).not.toContain('Step')
})

it('lists the texts of a row with the names of their columns if they do not fit beside each other', () => {
  const beside = textsOf(layout(moreCharts.texts!, 760))
  expect(beside).toEqual(expect.arrayContaining(['Before', 'a single key', '+10 %']))
  const listed = textsOf(layout(moreCharts.texts!, 320))
  expect(listed).toEqual(expect.arrayContaining(['Before: a single key', 'Change: +10 %']))
  expect(listed).not.toContain('Change: ')
})

it('says that a chart is empty if it has no panels', () => {
  const spec = { ...sampleCharts.intervals, panels: [], series: [], empty: 'No results yet.' }
  expect(textsOf(layout(spec, 320))).toEqual(['No results yet.'])
})
