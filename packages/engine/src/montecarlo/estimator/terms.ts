/**
 * The fast estimate: diffusion and jump prices, one concentrated position, arbitrage at every step.
 * It uses floats only, for sizing, previews and first estimates. Decisions use the exact engine.
 */
export interface EstimatorTerms {
  /** 32 bytes. */
  readonly seed: Uint8Array
  /** Even, at least 2. */
  readonly steps: number
  readonly stepSeconds: number
  readonly annualDrift: number
  readonly annualVolatility: number
  /** Zero for plain diffusion. */
  readonly jumpsPerYear: number
  readonly jumpMean: number
  readonly jumpDeviation: number
  /** 0..999,999 */
  readonly feePips: number
  /** Range of the position over the start price: 0 < lower < 1 < upper, or any order with the price outside. */
  readonly lowerRatio: number
  readonly upperRatio: number
}

/** One path's result, per unit of liquidity L and in units of the start price: multiply by L·√P₀. */
export interface PathEstimate {
  /** End price over the start price. */
  readonly price: number
  /** Loss versus rebalancing, at the external price. */
  readonly lvr: number
  /** Fees of arbitrage, at the external price. */
  readonly fees: number
  /** Steps after which the pool price was inside the range. */
  readonly stepsInRange: number
}

/** Numbers of the inner loop, made once. */
export interface EstimatorConstants {
  readonly base: readonly [number, number, number, number]
  readonly steps: number
  /** Halved, as the loop works on the logarithm of the root price. */
  readonly drift: number
  readonly deviation: number
  readonly jumpRate: number
  readonly jumpMean: number
  readonly jumpDeviation: number
  readonly rootKept: number
  readonly inverseRootKept: number
  readonly feeFactor: number
  readonly rootLower: number
  readonly rootUpper: number
}
