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
 * Chart 1: both P&L breakdowns per arm. Lines are signed effects on the net result and add up to
 * it.
 */
export function waterfallFigures({ replayed, simulated, arms }: Accounts): FigureData[] {
  const shownArms = arms.filter(({ armId }) =>
    [...replayed, ...simulated].some((arm) => arm.armId === armId),
  )
  return shownArms.map(({ armId, label }, index) => {
    const rows = [
      ...replayed
        .filter((arm) => arm.armId === armId)
        .flatMap((arm) =>
          exactRows(arm.flowModel, { HOLDER: arm.waterfallHolder, MAKER: arm.waterfallMaker }),
        ),
      ...simulated
        .filter((arm) => arm.armId === armId)
        .flatMap((arm) => spreadRows({ HOLDER: arm.waterfallHolder, MAKER: arm.waterfallMaker })),
    ]
    const isSpread = simulated.length > 0
    return {
      id: `accounts-${index + 1}`,
      kind: 'WATERFALLS',
      title: `P&L breakdown: ${label}`,
      description: isSpread
        ? 'Net P&L explained in two ways: for a holder and for a market maker. Bars are means over the paths; whiskers span the 5th to 95th percentile.'
        : 'Net P&L explained in two ways: for a holder and for a market maker. Each bar starts at the end of the previous one; the components add up to the last atom.',
      columns,
      rows,
    }
  })
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
