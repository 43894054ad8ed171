import type { FigureData } from '../../../../drawing/figure.ts'
import type { Findings } from '../report-input.ts'

/** Lines of both P&L breakdowns in reading order, with their signs. */
const accounts = {
  HOLDER: [
    ['hold', 1],
    ['divergenceLoss', -1],
    ['exposureDrift', 1],
    ['fees', 1],
    ['rewards', 1],
    ['gas', -1],
    ['rebalanceCost', -1],
    ['rounding', 1],
    ['net', 1],
  ],
  MAKER: [
    ['deltaPnl', 1],
    ['lvr', -1],
    ['fees', 1],
    ['rewards', 1],
    ['gas', -1],
    ['rebalanceCost', -1],
    ['rounding', 1],
    ['net', 1],
  ],
} as const

const columns: FigureData['columns'] = [
  { name: 'account', unit: 'TEXT' },
  { name: 'flowModel', unit: 'TEXT' },
  { name: 'line', unit: 'TEXT' },
  { name: 'effect', unit: 'QUOTE_ATOMS' },
  { name: 'p05', unit: 'QUOTE_ATOMS' },
  { name: 'p95', unit: 'QUOTE_ATOMS' },
]

interface Accounts extends Pick<Findings, 'arms'> {
  readonly replayed: readonly {
    readonly armId: string
    readonly flowModel: string
    readonly waterfallHolder: Lines
    readonly waterfallMaker: Lines
  }[]
  readonly simulated: readonly {
    readonly armId: string
    readonly waterfallHolder: Spread
    readonly waterfallMaker: Spread
  }[]
}

type Lines = Readonly<Record<string, string>>
type Spread = Readonly<Record<string, { mean: string; q: { p05: string; p95: string } }>>

/**
 * Chart 1: both P&L breakdowns per candidate. Lines are signed effects on the net result and add up
 * to it. Candidates and flow models with equal breakdowns share one chart.
 */
export function waterfallFigures({ replayed, simulated, arms }: Accounts): FigureData[] {
  const shownArms = arms.filter(({ armId }) =>
    [...replayed, ...simulated].some((arm) => arm.armId === armId),
  )
  const isSpread = simulated.length > 0
  const drawn = shownArms.map(({ armId, label }, index) => {
    const runs = replayed.filter((arm) => arm.armId === armId)
    const isEqual = haveEqualBreakdowns(runs)
    const rows = [
      ...(isEqual ? runs.slice(0, 1) : runs).flatMap((arm) =>
        exactRows(isEqual ? '' : arm.flowModel, breakdownsOf(arm)),
      ),
      ...simulated
        .filter((arm) => arm.armId === armId)
        .flatMap((arm) => spreadRows(breakdownsOf(arm))),
    ]
    return { id: `accounts-${index + 1}`, label, rows, isEqual }
  })
  const groups = Map.groupBy(drawn, ({ rows }) => JSON.stringify(rows))
  return [...groups.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const { id, rows, isEqual } = first
    const labels = same.map(({ label }) => label)
    return [
      {
        id,
        kind: 'WATERFALLS',
        title: cut(`P&L breakdown: ${titleOf(labels)}`, maxTitle),
        description: cut(
          [
            isSpread ? spreadText : exactText,
            ...(isEqual ? ['Both flow models give this breakdown, so it is drawn once.'] : []),
            ...(labels.length > 1
              ? [`Drawn once for equal candidates: ${labels.join(', ')}.`]
              : []),
          ].join(' '),
          maxDescription,
        ),
        columns,
        rows,
      },
    ]
  })
}

const spreadText =
  'Net P&L explained in two ways: vs HODL and vs rebalancing. Bars are means over the paths; whiskers span the 5th to 95th percentile.'
const exactText =
  'Net P&L explained in two ways: vs HODL and vs rebalancing. Each bar starts at the end of the previous one; the components add up to the last atom.'

/** Titles of shared figures add their unit, up to 40 characters. */
const maxTitle = 80
const maxDescription = 1000
const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

const titleOf = ([first = '', ...others]: readonly string[]) =>
  others.length < 2 ? [first, ...others].join(', ') : `${first} and ${others.length} more`

const breakdownsOf = <Breakdown>(arm: {
  readonly waterfallHolder: Breakdown
  readonly waterfallMaker: Breakdown
}) => ({ HOLDER: arm.waterfallHolder, MAKER: arm.waterfallMaker })

/** True if a candidate ran under several flow models, and all lines are equal. */
function haveEqualBreakdowns(runs: Accounts['replayed']): boolean {
  const texts = new Set(runs.map((arm) => JSON.stringify(exactRows('', breakdownsOf(arm)))))
  return runs.length > 1 && texts.size === 1
}

function exactRows(model: string, of: { HOLDER: Lines; MAKER: Lines }): FigureData['rows'] {
  return (['HOLDER', 'MAKER'] as const).flatMap((account) =>
    accounts[account].map(([line, sign]) => [
      account,
      model,
      line,
      signed(of[account][line] ?? '0', sign),
      null,
      null,
    ]),
  )
}

function spreadRows(of: { HOLDER: Spread; MAKER: Spread }): FigureData['rows'] {
  return (['HOLDER', 'MAKER'] as const).flatMap((account) =>
    accounts[account].flatMap(([line, sign]) => {
      const dist = of[account][line]
      if (dist === undefined) return []
      const [p05, p95] = [signed(dist.q.p05, sign), signed(dist.q.p95, sign)]
      const ends = sign === 1 ? [p05, p95] : [p95, p05]
      return [[account, '', line, signed(dist.mean, sign), ends[0] ?? null, ends[1] ?? null]]
    }),
  )
}

/** An amount with its effect on the net result. */
function signed(amount: string, sign: 1 | -1): string {
  return `${BigInt(amount) * BigInt(sign)}`
}
