import type { AnchorScale } from './anchors.ts'

export type ComponentCode =
  | 'DEPTH'
  | 'EXECUTION_COST'
  | 'SPREAD'
  | 'RESILIENCE'
  | 'CONTINUITY'
  | 'BALANCE'
  | 'CONCENTRATION'
  | 'FLOW_INTEGRITY'
  | 'PRICE_INTEGRITY'

/** Unit of a raw value: a ratio or share in millionths, a price deviation in pips, or seconds. */
export type RawUnit = 'RATIO_PIPS' | 'PIPS' | 'SECONDS'

/** One component as published. */
export interface ComponentDefinition extends AnchorScale {
  readonly code: ComponentCode
  readonly weightPips: number
  readonly unit: RawUnit
}

/**
 * The weight set `mqs-1`. Raw values:
 *
 * - two-sided 2 % depth over the reference size
 * - all-in slippage of the reference size
 * - spread
 * - time to recover half after a large trade
 * - share of time when a trade of the reference size executes
 * - balance of the two sides
 * - 1 − concentration
 * - 1 − share of suspicious volume
 * - 95th percentile price deviation
 */
export const MQS_1: readonly ComponentDefinition[] = [
  {
    code: 'DEPTH',
    weightPips: 200_000,
    unit: 'RATIO_PIPS',
    scale: 'LOG',
    anchors: [
      [500_000, 0],
      [2_000_000, 350_000],
      [10_000_000, 750_000],
      [50_000_000, 1_000_000],
    ],
  },
  {
    code: 'EXECUTION_COST',
    weightPips: 200_000,
    unit: 'PIPS',
    scale: 'LINEAR',
    anchors: [
      [1_000, 1_000_000],
      [3_000, 850_000],
      [10_000, 500_000],
      [30_000, 200_000],
      [100_000, 0],
    ],
  },
  {
    code: 'SPREAD',
    weightPips: 100_000,
    unit: 'PIPS',
    scale: 'LINEAR',
    anchors: [
      [500, 1_000_000],
      [2_000, 800_000],
      [6_000, 500_000],
      [20_000, 150_000],
      [50_000, 0],
    ],
  },
  {
    code: 'RESILIENCE',
    weightPips: 125_000,
    unit: 'SECONDS',
    scale: 'LOG',
    anchors: [
      [60, 1_000_000],
      [300, 800_000],
      [1_800, 500_000],
      [14_400, 200_000],
      [86_400, 0],
    ],
  },
  {
    code: 'CONTINUITY',
    weightPips: 125_000,
    unit: 'RATIO_PIPS',
    scale: 'LINEAR',
    anchors: [
      [900_000, 0],
      [990_000, 600_000],
      [999_000, 1_000_000],
    ],
  },
  {
    code: 'BALANCE',
    weightPips: 75_000,
    unit: 'RATIO_PIPS',
    scale: 'LINEAR',
    anchors: [
      [0, 0],
      [250_000, 300_000],
      [600_000, 800_000],
      [900_000, 1_000_000],
    ],
  },
  {
    code: 'CONCENTRATION',
    weightPips: 75_000,
    unit: 'RATIO_PIPS',
    scale: 'LINEAR',
    anchors: [
      [0, 0],
      [500_000, 600_000],
      [800_000, 1_000_000],
    ],
  },
  {
    code: 'FLOW_INTEGRITY',
    weightPips: 50_000,
    unit: 'RATIO_PIPS',
    scale: 'LINEAR',
    anchors: [
      [500_000, 0],
      [900_000, 700_000],
      [990_000, 1_000_000],
    ],
  },
  {
    code: 'PRICE_INTEGRITY',
    weightPips: 50_000,
    unit: 'PIPS',
    scale: 'LINEAR',
    anchors: [
      [1_000, 1_000_000],
      [5_000, 700_000],
      [20_000, 300_000],
      [50_000, 0],
    ],
  },
]

/** Highest sub-score of a component that had to be measured in its weaker way. */
export const WEAK_METHOD_CAP_PIPS = 500_000
