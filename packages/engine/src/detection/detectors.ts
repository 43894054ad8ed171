import { HOUR_SECONDS } from '../arithmetic/time-units.ts'
export type AnomalyKind =
  | 'LIQUIDITY_DISAPPEARANCE'
  | 'ONE_SIDED_FLOW'
  | 'INACTIVE_RANGE'
  | 'STABLECOIN_DEPEG'
  | 'ORACLE_DISAGREEMENT'
  | 'INVENTORY_ACCUMULATION'
  | 'EXCESSIVE_TURNOVER'
  | 'MANIPULATION_INDICATOR'
  | 'SIMULATED_REALIZED_DIVERGENCE'

export type Severity = 'INFO' | 'WARNING' | 'CRITICAL'

/** A rule that needs no baseline: CRITICAL once the feature or its effect is beyond a mark for some time. */
export interface AbsoluteRule {
  readonly on: 'VALUE' | 'EFFECT'
  readonly atLeast?: bigint
  readonly atMost?: bigint
  /** How long it must have lasted; 0 fires at once. */
  readonly forSeconds: number
}

/** What turns a feature into a detection. */
export interface DetectorSpec {
  readonly kind: AnomalyKind
  /** Side of the baseline that is bad. */
  readonly side: 'LOW' | 'HIGH'
  /** Smallest scale: in the feature's unit, or in millionths of the median. */
  readonly floor: { readonly unit: 'VALUE' | 'MEDIAN_PIPS'; readonly amount: bigint }
  /**
   * Definition of the reported effect: the feature itself, the drop from the median, or the rise
   * above it. Drops and rises are in millionths of the median.
   */
  readonly effect: 'VALUE' | 'DROP_FROM_MEDIAN' | 'RISE_OVER_MEDIAN'
  /** Least effect of INFO, WARNING and CRITICAL, in pips. */
  readonly effects: readonly [bigint, bigint, bigint]
  readonly persistence: { readonly hits: number; readonly of: number }
  readonly absolute: readonly AbsoluteRule[]
}

const pips = (...effects: [number, number, number]) =>
  effects.map(BigInt) as [bigint, bigint, bigint]
const twoOfThree = { hits: 2, of: 3 }
const now = 0

/**
 * Anomaly kinds with a baseline of one feature, published with `robust-mad-v1`. Divergence from a
 * study uses the study's paths instead; see `judgeDivergence`.
 */
export const detectors: Readonly<
  Record<Exclude<AnomalyKind, 'SIMULATED_REALIZED_DIVERGENCE'>, DetectorSpec>
> = {
  LIQUIDITY_DISAPPEARANCE: {
    kind: 'LIQUIDITY_DISAPPEARANCE',
    side: 'LOW',
    floor: { unit: 'MEDIAN_PIPS', amount: 20_000n },
    effect: 'DROP_FROM_MEDIAN',
    effects: pips(200_000, 400_000, 700_000),
    persistence: twoOfThree,
    absolute: [
      { on: 'VALUE', atMost: 0n, forSeconds: now },
      { on: 'EFFECT', atLeast: 900_000n, forSeconds: now },
    ],
  },
  ONE_SIDED_FLOW: {
    kind: 'ONE_SIDED_FLOW',
    side: 'HIGH',
    floor: { unit: 'VALUE', amount: 50_000n },
    effect: 'VALUE',
    effects: pips(500_000, 700_000, 900_000),
    persistence: twoOfThree,
    absolute: [],
  },
  INACTIVE_RANGE: {
    kind: 'INACTIVE_RANGE',
    side: 'HIGH',
    floor: { unit: 'VALUE', amount: 20_000n },
    effect: 'VALUE',
    effects: pips(250_000, 500_000, 900_000),
    persistence: { hits: 3, of: 3 },
    absolute: [{ on: 'VALUE', atLeast: 1_000_000n, forSeconds: HOUR_SECONDS }],
  },
  STABLECOIN_DEPEG: {
    kind: 'STABLECOIN_DEPEG',
    side: 'HIGH',
    floor: { unit: 'VALUE', amount: 300n },
    effect: 'VALUE',
    effects: pips(2_500, 10_000, 30_000),
    persistence: { hits: 3, of: 3 },
    absolute: [
      { on: 'VALUE', atLeast: 50_000n, forSeconds: now },
      { on: 'VALUE', atLeast: 10_000n, forSeconds: HOUR_SECONDS },
    ],
  },
  ORACLE_DISAGREEMENT: {
    kind: 'ORACLE_DISAGREEMENT',
    side: 'HIGH',
    floor: { unit: 'VALUE', amount: 500n },
    effect: 'VALUE',
    effects: pips(5_000, 15_000, 50_000),
    persistence: twoOfThree,
    absolute: [{ on: 'VALUE', atLeast: 100_000n, forSeconds: now }],
  },
  INVENTORY_ACCUMULATION: {
    kind: 'INVENTORY_ACCUMULATION',
    side: 'HIGH',
    floor: { unit: 'VALUE', amount: 20_000n },
    effect: 'VALUE',
    effects: pips(100_000, 250_000, 500_000),
    persistence: twoOfThree,
    // The base share is another feature. The caller passes its breach as `absoluteBreach`.
    absolute: [],
  },
  EXCESSIVE_TURNOVER: {
    kind: 'EXCESSIVE_TURNOVER',
    side: 'HIGH',
    floor: { unit: 'MEDIAN_PIPS', amount: 50_000n },
    effect: 'RISE_OVER_MEDIAN',
    effects: pips(1_000_000, 3_000_000, 7_000_000),
    persistence: twoOfThree,
    absolute: [],
  },
  MANIPULATION_INDICATOR: {
    kind: 'MANIPULATION_INDICATOR',
    side: 'HIGH',
    floor: { unit: 'VALUE', amount: 5_000n },
    effect: 'VALUE',
    effects: pips(20_000, 100_000, 300_000),
    persistence: { hits: 1, of: 1 },
    absolute: [],
  },
}
