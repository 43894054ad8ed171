import type { Units } from '../fields/units.tsx'
import {
  countDial,
  type Dial,
  type DialGroup,
  depthGroup,
  present,
  shareDial,
  tradeGroup,
} from './dials.ts'

/** The adjustable part of a capital request; the rest is sent unchanged. */
export interface CapitalRequest {
  label: string
  targets: readonly { side: string; movePips: number; depthQuote: string }[]
  slippageTargets?: readonly { side: string; tradeQuote: string; maximumAveragePips: number }[]
  shapes: readonly {
    shapeId: string
    shape: { kind: string; lowerMovePips?: number; upperMovePips?: number }
  }[]
  volatility: { kind: string; annualPips?: number }
  horizonDays?: number
  confidencePips?: number
}

const percent = 10_000

/** The sliders of a capital request: its targets, its ranges and its buffer. */
export function capitalDials(request: CapitalRequest, { quote }: Units): DialGroup[] {
  return [
    ...request.targets.map(({ side, movePips, depthQuote }, index) =>
      depthGroup(
        { side, place: index },
        {
          depth: { path: `targets.${index}.depthQuote`, is: depthQuote },
          move: { path: `targets.${index}.movePips`, is: movePips },
        },
        quote,
      ),
    ),
    ...(request.slippageTargets ?? []).map(({ side, tradeQuote, maximumAveragePips }, index) =>
      tradeGroup(
        { side, place: index },
        {
          size: { path: `slippageTargets.${index}.tradeQuote`, is: tradeQuote },
          slippage: { path: `slippageTargets.${index}.maximumAveragePips`, is: maximumAveragePips },
        },
        quote,
      ),
    ),
    ...request.shapes.flatMap(rangeDials),
    { name: 'Buffer', dials: bufferDials(request) },
  ]
}

function rangeDials(
  { shapeId, shape }: CapitalRequest['shapes'][number],
  index: number,
): DialGroup[] {
  const { lowerMovePips, upperMovePips } = shape
  if (lowerMovePips === undefined || upperMovePips === undefined) return []
  const at = `shapes.${index}.shape`
  return [
    {
      name: `Range of shape ${shapeId}`,
      dials: [
        shareDial(lowerMovePips, {
          path: `${at}.lowerMovePips`,
          name: 'Below the price',
          least: percent,
          most: 90 * percent,
          step: percent,
        }),
        shareDial(upperMovePips, {
          path: `${at}.upperMovePips`,
          name: 'Above the price',
          least: percent,
          most: 400 * percent,
          step: percent,
        }),
      ],
    },
  ]
}

/** Defaults of the service for missing values. */
const usual = { horizonDays: 10, confidencePips: 975_000 }

function bufferDials({ horizonDays, confidencePips, volatility }: CapitalRequest): Dial[] {
  const { annualPips } = volatility
  return present([
    countDial(
      horizonDays ?? usual.horizonDays,
      { path: 'horizonDays', name: 'Horizon', least: 1, most: 90, step: 1 },
      'days',
    ),
    shareDial(confidencePips ?? usual.confidencePips, {
      path: 'confidencePips',
      name: 'Confidence',
      least: 900_000,
      most: 999_000,
      step: 1_000,
    }),
    annualPips === undefined
      ? null
      : shareDial(annualPips, {
          path: 'volatility.annualPips',
          name: 'Annual volatility',
          least: percent,
          most: 400 * percent,
          step: percent,
        }),
  ])
}
