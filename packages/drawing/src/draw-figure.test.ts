import { describe, expect, it } from 'vitest'
import type { ChartTerms } from './charts/chart.ts'
import { drawFigure } from './draw-figure.ts'
import type { Cell, Figure, FigureKind } from './figure.ts'
import { screenPaper } from './paper.ts'
import { type Picture, type Point, type Shape, widthOf } from './picture.ts'
import { pictureToSvg } from './svg.ts'
import { unreadable } from './testing/texts.ts'

const labels = [
  '<b>&"tight"',
  'Wide',
  'A label that is much too long for the room that it has beside the chart',
]
const terms = (count: number): ChartTerms => ({
  baseDecimals: 18,
  quoteDecimals: 6,
  isBaseFirst: true,
  arms: Array.from({ length: count }, (_, index) => ({
    armId: `arm-${index}`,
    label: labels[index] ?? `Arm ${index}`,
  })),
})

const columnsOf: Record<string, string[]> = {
  WATERFALLS: ['account', 'flowModel', 'line', 'effect', 'p05', 'p95'],
  LINES: ['arm', 'flowModel', 'seconds', 'netVsHold'],
  FANS: ['arm', 'seconds', 'p05', 'p25', 'p50', 'p75', 'p95', 'es95'],
  DEPTH: ['arm', 'flowModel', 'seconds', 'depth'],
  DEPTH_FAN: ['arm', 'seconds', 'low', 'depth', 'high'],
  SLIPPAGE: ['arm', 'side', 'sizeQuote', 'medianPips', 'worst5Pips', 'fillable'],
  MAP: [
    'layer',
    'arm',
    'fromSeconds',
    'toSeconds',
    'tickLower',
    'tickUpper',
    'liquidity',
    'priceX18',
    'refused',
    'what',
  ],
  FEES: ['arm', 'feesLow', 'feesHigh', 'lvrLow', 'lvrHigh'],
  PASSAGE: ['rule', 'arm', 'flowModel', 'seconds', 'sharePips', 'lowPips', 'highPips'],
  SIGNATURE: ['kind', 'seconds', 'volatilityPips', 'lowPips', 'highPips'],
  DIFFERENCES: ['a', 'b', 'low', 'mean', 'high', 'p after Holm', 'verdict'],
}

function figure(kind: FigureKind, form: keyof typeof columnsOf, rows: Cell[][]): Figure {
  return {
    id: 'figure',
    kind,
    title: 'A <title> & more',
    description: 'What is "seen"',
    columns: columnsOf[form]!.map((name) => ({ name, unit: 'TEXT' as const })),
    rows,
  }
}

/** Amounts of every size and sign, always the same. */
const amountAt = (index: number) =>
  `${(index % 3 === 0 ? -1 : 1) * index * 7919 * 10 ** (index % 9)}`
const seconds = Array.from({ length: 30 }, (_, index) => index * 300)

/** Figures of so many arms, of every kind and form. */
function figuresOf(count: number): [string, ReturnType<typeof figure>][] {
  const arms = terms(count).arms.map(({ armId }) => armId)
  const models = ['INELASTIC_INPUT', 'PRICE_SETTING']
  const lines = ['hold', 'divergenceLoss', 'fees', 'gas', 'net']
  const accounts = (some: string[], spread: boolean) =>
    ['HOLDER', 'MAKER'].flatMap((account) =>
      some.flatMap((model) =>
        lines.map((line, index): Cell[] => [
          account,
          model,
          line,
          amountAt(index + 1),
          spread ? amountAt(index) : null,
          spread ? amountAt(index + 2) : null,
        ]),
      ),
    )
  const series = arms.flatMap((arm, itemIndex) =>
    models.flatMap((model, of) =>
      seconds.map((at, index): Cell[] => [arm, model, at, amountAt(index + itemIndex + of)]),
    ),
  )
  const quantiles = arms.flatMap((arm) =>
    seconds.map((at, index): Cell[] => [
      arm,
      at,
      `${-index * 9}`,
      `${-index}`,
      '0',
      `${index}`,
      `${index * 7}`,
      index === 29 ? '-4000' : null,
    ]),
  )
  const pairs = arms.flatMap((a, index) => arms.slice(index + 1).map((b) => [a, b] as const))
  return [
    ['accounts', figure('WATERFALLS', 'WATERFALLS', accounts(models, false))],
    ['accounts over paths', figure('WATERFALLS', 'WATERFALLS', accounts([''], true))],
    ['lines', figure('NET_VS_HOLD', 'LINES', series)],
    ['fans', figure('NET_VS_HOLD', 'FANS', quantiles)],
    [
      'depth with a target',
      figure('DEPTH_OVER_TIME', 'DEPTH', [...series, ['', '', null, '5000000']]),
    ],
    [
      'depth over paths',
      figure(
        'DEPTH_OVER_TIME',
        'DEPTH_FAN',
        arms.flatMap((arm) => seconds.map((at): Cell[] => [arm, at, '1', '5000000', '90000000'])),
      ),
    ],
    [
      'slippage',
      figure(
        'SLIPPAGE_BY_SIZE',
        'SLIPPAGE',
        ['', ...arms].flatMap((arm) =>
          ['BUY', 'SELL'].flatMap((side) =>
            ['1', '1000000', '5000000000'].map((size, index): Cell[] => [
              arm,
              side,
              size,
              3000 + index * 400_000,
              900_000,
              index < 2,
            ]),
          ),
        ),
      ),
    ],
    ['map', figure('LIQUIDITY_MAP', 'MAP', mapRows(arms))],
    [
      'fees',
      figure(
        'FEES_AND_LVR',
        'FEES',
        arms.map((arm, index) => [
          arm,
          amountAt(index),
          amountAt(index + 1),
          amountAt(index + 2),
          '0',
        ]),
      ),
    ],
    [
      'passage',
      figure(
        'FIRST_PASSAGE',
        'PASSAGE',
        ['<rule 1>', 'rule 2', 'rule 3'].flatMap((rule) =>
          arms.flatMap((arm) =>
            seconds.map((at, index): Cell[] => [
              rule,
              arm,
              '',
              at,
              index * 30_000,
              index * 20_000,
              index * 33_000,
            ]),
          ),
        ),
      ),
    ],
    [
      'moments',
      figure(
        'FIRST_PASSAGE',
        'PASSAGE',
        arms.flatMap((arm, index) =>
          models.map((model, of): Cell[] => [
            'a rule',
            arm,
            model,
            (index + of) % 2 ? 300 * index : null,
            0,
            null,
            null,
          ]),
        ),
      ),
    ],
    [
      'differences',
      figure(
        'PAIRED_DIFFERENCES',
        'DIFFERENCES',
        pairs.map(([a, b], index) => [
          a,
          b,
          amountAt(index),
          amountAt(index + 1),
          amountAt(index + 2),
          40_000,
          'INDISTINGUISHABLE',
        ]),
      ),
    ],
    [
      'differences of one history',
      figure(
        'PAIRED_DIFFERENCES',
        'DIFFERENCES',
        pairs.map(([a, b], index) => [
          a,
          b,
          amountAt(index),
          null,
          amountAt(index),
          null,
          'NOT_TESTED',
        ]),
      ),
    ],
    [
      'signature',
      figure('VOLATILITY_SIGNATURE', 'SIGNATURE', [
        ...[60, 300, 3600, 7200, 86_400].map((interval, index): Cell[] => [
          'OBSERVED',
          interval,
          350_000 + 80_000 * index,
          340_000 + 70_000 * index,
          360_000 + 90_000 * index,
        ]),
        ['ESTIMATE', 7200, 620_000, 580_000, 660_000],
      ]),
    ],
  ]
}

function mapRows(arms: readonly string[]): Cell[][] {
  const row = (cells: Record<string, Cell>) => columnsOf.MAP!.map((name) => cells[name] ?? null)
  return [
    ...seconds.slice(0, -1).map((at, index) =>
      row({
        layer: 'LIQUIDITY',
        fromSeconds: at,
        toSeconds: at + 300,
        tickLower: index * 100,
        tickUpper: index * 100 + 100,
        liquidity: `${10n ** 18n * BigInt(index)}`,
      }),
    ),
    ...seconds.map((at, index) =>
      row({
        layer: 'PRICE',
        fromSeconds: at,
        tickLower: index * 70,
        tickUpper: index * 70,
        priceX18: '1',
      }),
    ),
    ...arms.flatMap((arm, index) => [
      row({
        layer: 'RANGE',
        arm,
        fromSeconds: 0,
        toSeconds: 8700,
        tickLower: -887_220,
        tickUpper: 500 + index,
      }),
      row({
        layer: 'ACTION',
        arm,
        fromSeconds: 600,
        tickLower: 400,
        refused: index % 2 === 0,
        what: 'REBALANCE',
      }),
    ]),
  ]
}

const kinds = [
  'WATERFALLS',
  'NET_VS_HOLD',
  'DEPTH_OVER_TIME',
  'SLIPPAGE_BY_SIZE',
  'LIQUIDITY_MAP',
  'FEES_AND_LVR',
  'FIRST_PASSAGE',
  'PAIRED_DIFFERENCES',
  'VOLATILITY_SIGNATURE',
] as const
const cases = [1, 2, 11].flatMap((count) =>
  figuresOf(count).map(([name, one]) => [`${name} of ${count}`, one, count] as const),
)

/** The points that a shape reaches. */
function reachOf(shape: Shape): Point[] {
  switch (shape.kind) {
    case 'rect':
      return [shape, { x: shape.x + shape.width, y: shape.y + shape.height }]
    case 'line':
    case 'area':
      return [...shape.points]
    case 'mark':
      return [shape]
    case 'text': {
      // Letters on a screen are a little narrower than the estimate.
      const width = widthOf(shape.text, shape.size, shape.isBold) * 0.93
      const left =
        shape.anchor === 'start'
          ? shape.x
          : shape.x - (shape.anchor === 'middle' ? width / 2 : width)
      return [
        { x: left, y: shape.y - shape.size * 0.7 },
        { x: left + width, y: shape.y + 2 },
      ]
    }
  }
}

const outside = ({ width, height, shapes }: Picture) =>
  shapes.filter((shape) =>
    reachOf(shape).some(({ x, y }) => !(x >= -3 && x <= width + 3 && y >= -1 && y <= height + 1)),
  )

describe('a figure', () => {
  it.each(cases)('shows %s within its frame, and every number is one', (_name, one, count) => {
    const picture = drawFigure(one, terms(count))
    expect(outside(picture)).toEqual([])
    const svg = pictureToSvg(picture)
    expect(svg).not.toMatch(/NaN|Infinity|undefined|null/)
    expect(svg).not.toMatch(/<b>|<rule|<title> &|href|url\(|style=|<script|on\w+=/)
    expect(svg).toContain('<title id="figure-title">A &lt;title&gt; &amp; more</title>')
    expect(svg).toBe(pictureToSvg(drawFigure(structuredClone(one), terms(count))))
  })

  it.each(cases)('lays %s out for every screen', (_name, one, count) => {
    for (const width of [280, 360, 600, 760, 1200]) {
      const picture = drawFigure(one, terms(count), screenPaper(width))
      expect(picture.width).toBe(width)
      expect(unreadable(picture), `${width} wide`).toEqual([])
    }
  })

  it.each(cases)(
    'maps rows of %s to positions, each once in a series and on its mark',
    (_name, one, count) => {
      const { spots = [], ...picture } = drawFigure(one, terms(count), screenPaper(760))
      // Two arms at least: a single one is compared with nothing.
      if (count > 1) expect(spots.length).toBeGreaterThan(0)
      expect(new Set(spots.map(({ row, series }) => `${row} ${series}`)).size).toBe(spots.length)
      const marked = picture.shapes.flatMap(reachOf)
      const lost = spots.filter(
        ({ row, x, y }) =>
          one.rows[row] === undefined ||
          !marked.some((point) => Math.abs(point.x - x) < 12 && Math.abs(point.y - y) < 12),
      )
      expect(lost).toEqual([])
    },
  )

  it.each(kinds)('%s without data says so', (kind) => {
    const picture = drawFigure(figure(kind, 'LINES', []), terms(2))
    expect(outside(picture)).toEqual([])
    expect(picture.shapes.filter(({ kind: shape }) => shape === 'text').length).toBeGreaterThan(0)
    expect(pictureToSvg(picture)).not.toMatch(/NaN|Infinity/)
  })
})

describe('the waterfalls', () => {
  it('begin each bar where the one before ended, the sum at zero, losses hatched', () => {
    const rows = [
      ['hold', '3000000'],
      ['lvr', '-1000000'],
      ['net', '2000000'],
    ]
    const picture = drawFigure(
      figure(
        'WATERFALLS',
        'WATERFALLS',
        rows.map(([line, effect]) => ['MAKER', '', line!, effect!, null, null]),
      ),
      terms(1),
    )
    const bars = picture.shapes.filter((shape) => shape.kind === 'rect')
    const [gain, loss, net] = bars.map(({ x, width }) => [x, x + width])
    expect(loss![1]).toBeCloseTo(gain![1]!, 6)
    expect(net![0]).toBeCloseTo(gain![0]!, 6)
    expect(net![1]).toBeCloseTo(loss![0]!, 6)
    expect(bars.map(({ fill }) => fill)).toEqual(['#0072b2', '#ffffff', '#4d4d4d'])
  })
})

describe('slippage by size', () => {
  it('marks the median of every size, joined by one line a side', () => {
    const rows = ['BUY', 'SELL'].flatMap((side) =>
      ['1', '2', '3'].map((size): Cell[] => ['arm-0', side, size, 3000, 3000, true]),
    )
    const { shapes } = drawFigure(figure('SLIPPAGE_BY_SIZE', 'SLIPPAGE', rows), terms(1))
    const lines = shapes.flatMap((shape) => (shape.kind === 'line' ? [shape.points.length] : []))
    expect(lines.filter((length) => length === 3)).toHaveLength(2)
    // Six medians, and one in the legend.
    expect(shapes.filter((shape) => shape.kind === 'mark' && shape.size === 5.5)).toHaveLength(7)
  })
})

describe('the map', () => {
  it('draws rejected actions hollow, and executed ones filled', () => {
    const picture = drawFigure(
      figure('LIQUIDITY_MAP', 'MAP', mapRows(['arm-0', 'arm-1'])),
      terms(2),
    )
    const marks = picture.shapes.filter((shape) => shape.kind === 'mark' && shape.size === 8)
    expect(marks.map((mark) => mark.kind === 'mark' && mark.isHollow)).toEqual([true, false])
  })

  it('is darker where there is more', () => {
    const picture = drawFigure(figure('LIQUIDITY_MAP', 'MAP', mapRows([])), terms(1))
    const cells = picture.shapes.filter((shape) => shape.kind === 'rect').slice(0, 28)
    const lightness = cells.map(
      (cell) => cell.kind === 'rect' && Number.parseInt(cell.fill!.slice(1, 3), 16),
    )
    expect(lightness).toEqual(lightness.toSorted((a, b) => Number(b) - Number(a)))
    expect(new Set(lightness).size).toBeGreaterThan(5)
  })
})

describe('lines over time', () => {
  const arms = [
    { armId: 'range', label: 'Range' },
    { armId: 'benchmark-rebalancing', label: 'Rebalancing portfolio' },
  ]
  const drawn = (benchmark: string) => {
    const rows = [
      ...[0, 60].map((at): Cell[] => ['range', 'INELASTIC_INPUT', at, at === 0 ? '0' : '2000000']),
      ...[0, 60].map((at): Cell[] => [
        'benchmark-rebalancing',
        'INELASTIC_INPUT',
        at,
        at === 0 ? '0' : benchmark,
      ]),
    ]
    const { shapes } = drawFigure(figure('NET_VS_HOLD', 'LINES', rows), {
      baseDecimals: 18,
      quoteDecimals: 6,
      isBaseFirst: true,
      arms,
    })
    return shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))
  }

  it('omit a benchmark that would hide the positions, and name it', () => {
    expect(drawn('-6000000')).toContain('Rebalancing portfolio')
    const far = drawn('-6000001')
    expect(far).not.toContain('Rebalancing portfolio')
    expect(far).toContain('Outside this axis: Rebalancing portfolio')
    expect(far).toContain('Range')
  })
})
