import type { FigureData } from '../../../../drawing/figure.ts'
import type { Findings } from '../report-input.ts'
import { ends } from './trades.ts'

const columns: FigureData['columns'] = [
  { name: 'a', unit: 'TEXT' },
  { name: 'b', unit: 'TEXT' },
  { name: 'low', unit: 'QUOTE_ATOMS' },
  { name: 'mean', unit: 'QUOTE_ATOMS' },
  { name: 'high', unit: 'QUOTE_ATOMS' },
  { name: 'p after Holm', unit: 'PIPS' },
  { name: 'verdict', unit: 'TEXT' },
]

interface Compared extends Pick<Findings, 'arms'> {
  readonly replayed: readonly {
    readonly armId: string
    readonly flowModel: string
    readonly waterfallHolder: { readonly net: string }
  }[]
  readonly simulated: readonly unknown[]
  readonly result: Pick<Findings['result'], 'comparisons'>
}

/** Chart 9: all pairs of candidates, first minus second. */
export function differenceFigures(findings: Compared): FigureData[] {
  const { result, simulated } = findings
  const rows = simulated.length > 0 ? testedRows(result.comparisons) : replayedRows(findings)
  if (rows.length === 0) return []
  return [
    {
      id: 'paired-differences',
      kind: 'PAIRED_DIFFERENCES',
      title: 'Differences between candidates',
      description:
        simulated.length > 0
          ? 'Mean difference of each pair on the same paths, with its 95 % interval. The p values are Holm-adjusted over all pairs. Pairs without a verdict do not differ significantly.'
          : 'First minus second candidate in this one history; the range spans the two flow models. No statistics: a single history does not show how another would turn out.',
      columns,
      rows,
    },
  ]
}

function testedRows(comparisons: Findings['result']['comparisons']): FigureData['rows'] {
  return comparisons.map(({ a, b, diff, pHolmPips, verdict }) => [
    a,
    b,
    diff.meanCi95[0],
    diff.mean,
    diff.meanCi95[1],
    pHolmPips,
    verdict,
  ])
}

function replayedRows({ arms, replayed }: Compared): FigureData['rows'] {
  const shownArms = arms.filter(({ armId }) => replayed.some((arm) => arm.armId === armId))
  return shownArms.flatMap(({ armId: a }, index) =>
    shownArms.slice(index + 1).map(({ armId: b }) => {
      const differences = replayed
        .filter(({ armId }) => armId === a)
        .flatMap(({ flowModel, waterfallHolder: { net } }) =>
          replayed
            .filter((other) => other.armId === b && other.flowModel === flowModel)
            .map((other) => `${BigInt(net) - BigInt(other.waterfallHolder.net)}`),
        )
      const [low, high] = ends(differences)
      return [a, b, low, null, high, null, 'NOT_TESTED']
    }),
  )
}
