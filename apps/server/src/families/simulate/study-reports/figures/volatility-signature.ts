import type { contract } from '@liquidity-os/contract'
import type { FigureData } from '../../../../drawing/figure.ts'
import type { Findings } from '../report-input.ts'

const columns: FigureData['columns'] = [
  { name: 'kind', unit: 'TEXT' },
  { name: 'seconds', unit: 'SECONDS' },
  { name: 'volatilityPips', unit: 'PIPS' },
  { name: 'lowPips', unit: 'PIPS' },
  { name: 'highPips', unit: 'PIPS' },
]

/** Chart 10: realized volatility by sampling interval, and the estimate of the calibration. */
export function volatilityFigures({ result }: Pick<Findings, 'result'>): FigureData[] {
  const reading = result.calibration?.volatility
  if (!reading || reading.signature.length === 0) return []
  return [
    {
      id: 'volatility-signature',
      kind: 'VOLATILITY_SIGNATURE',
      title: 'Volatility by sampling interval',
      description: descriptionOf(reading),
      columns,
      rows: [
        // Studies of earlier releases have no errors.
        ...reading.signature.map(({ seconds, annualVolatilityPips, standardErrorPips = 0 }) => [
          'OBSERVED',
          seconds,
          ...around(annualVolatilityPips, standardErrorPips),
        ]),
        ...(reading.readPips === null
          ? []
          : [
              [
                'ESTIMATE',
                reading.longSeconds,
                ...around(reading.readPips.value, reading.readPips.standardError),
              ],
            ]),
      ],
    },
  ]
}

const around = (value: number, error: number) => [
  value,
  Math.max(0, value - 2 * error),
  value + 2 * error,
]

function descriptionOf({ feeBandPips, state }: contract.VolatilityReading): string {
  const plot =
    'Realized volatility per year by the interval between prices, with two standard errors. It rises where a fee band holds the pool price back, and falls where noise trades move it.'
  const plateau = feeBandPips
    ? ' Longer intervals contradict those of the fee band, so the estimate is that of the plateau.'
    : ''
  return `${plot}${plateau}${state === 'ABSTAINED' ? ' The estimate is too uncertain for a calibration.' : ''}`
}
