import type { FigureData } from '../../../../drawing/figure.ts'
import type { Findings } from '../report-input.ts'

type Arm = Findings['replayed'][number]
type SimulatedArm = Findings['simulated'][number]

interface Traded {
  readonly replayed: readonly Pick<Arm, 'armId' | 'flowModel' | 'slippage'>[]
  readonly simulated: readonly Pick<SimulatedArm, 'armId' | 'slippage'>[]
  readonly result: {
    readonly market: {
      readonly slippage: NonNullable<Findings['result']['market']>['slippage']
    } | null
  }
}

/** Data for the chart of fees and loss versus rebalancing. */
interface Earned extends Pick<Findings, 'arms'> {
  readonly replayed: readonly (Pick<Arm, 'armId' | 'waterfallMaker'> & {
    readonly positions: readonly unknown[]
  })[]
  readonly simulated: readonly Pick<SimulatedArm, 'armId' | 'waterfallMaker'>[]
}

/** Chart 4: slippage per size, both sides. An empty arm is the original market. */
export function slippageFigures({ replayed, simulated, result }: Traded): FigureData[] {
  const models = [...new Set(replayed.map(({ flowModel }) => flowModel))]
  // Both flow models have the same liquidity, so the chart only shows the first.
  const shown = replayed.filter(({ flowModel }) => flowModel === models[0])
  const rows = [
    ...[...shown, ...simulated].flatMap(({ armId, slippage }) =>
      slippage.map(({ sizeQuote, side, medianPips, worst5Pips }) => [
        armId,
        side,
        sizeQuote,
        medianPips,
        worst5Pips,
        true,
      ]),
    ),
    ...(result.market?.slippage ?? []).map(({ side, sizeQuote, pips, fillable }) => [
      '',
      side,
      sizeQuote,
      pips,
      null,
      fillable,
    ]),
  ]
  if (rows.length === 0) return []
  const when = simulated.length > 0 ? 'at the start' : 'at the end of the window'
  return [
    {
      id: 'slippage',
      kind: 'SLIPPAGE_BY_SIZE',
      title: 'Slippage by trade size',
      description: `Trade cost vs the price before the trade, fees included. Range: median over time to the worst 5 %. Without a candidate: the market ${when}. A cross marks a size that it cannot fill.`,
      columns: [
        { name: 'arm', unit: 'TEXT' },
        { name: 'side', unit: 'TEXT' },
        { name: 'sizeQuote', unit: 'QUOTE_ATOMS' },
        { name: 'medianPips', unit: 'PIPS' },
        { name: 'worst5Pips', unit: 'PIPS' },
        { name: 'fillable', unit: 'FLAG' },
      ],
      rows,
    },
  ]
}

/** Chart 7: fee range next to loss versus rebalancing, from all trades. */
export function feesAndLvrFigures({ arms, replayed, simulated }: Earned): FigureData[] {
  const rows = arms.flatMap(({ armId }): FigureData['rows'] => {
    const exact = replayed.filter((arm) => arm.armId === armId && arm.positions.length > 0)
    const spread = simulated.find((arm) => arm.armId === armId)
    if (spread !== undefined) {
      const { fees, lvr } = spread.waterfallMaker
      return isNothing([fees.q.p05, fees.q.p95, lvr.q.p05, lvr.q.p95])
        ? []
        : [[armId, fees.q.p05, fees.q.p95, lvr.q.p05, lvr.q.p95]]
    }
    if (exact.length === 0) return []
    const fees = ends(exact.map(({ waterfallMaker }) => waterfallMaker.fees))
    const lvr = ends(exact.map(({ waterfallMaker }) => waterfallMaker.lvr))
    return [[armId, ...fees, ...lvr]]
  })
  if (rows.length === 0) return []
  return [
    {
      id: 'fees-and-lvr',
      kind: 'FEES_AND_LVR',
      title: 'LP fees (at accrual) and LVR',
      description:
        simulated.length > 0
          ? 'Filled: LP fees at accrual, 5th to 95th percentile of the paths. Hatched: LVR, modeled from the simulated price and all traders, with the same percentiles.'
          : 'Filled: LP fees at accrual, range of the two flow models. Hatched: LVR of all trades, arbitrage or not, at the reference price after the trade, same range. A range of assumptions, not a confidence interval.',
      columns: [
        { name: 'arm', unit: 'TEXT' },
        { name: 'feesLow', unit: 'QUOTE_ATOMS' },
        { name: 'feesHigh', unit: 'QUOTE_ATOMS' },
        { name: 'lvrLow', unit: 'QUOTE_ATOMS' },
        { name: 'lvrHigh', unit: 'QUOTE_ATOMS' },
      ],
      rows,
    },
  ]
}

const isNothing = (amounts: readonly string[]) => amounts.every((amount) => amount === '0')

/** Minimum and maximum of some amounts. */
export function ends(amounts: readonly string[]): [low: string, high: string] {
  const sorted = amounts.map(BigInt).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return [`${sorted[0] ?? 0n}`, `${sorted.at(-1) ?? 0n}`]
}
