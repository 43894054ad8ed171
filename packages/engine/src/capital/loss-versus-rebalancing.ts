import { YEAR_SECONDS } from '../arithmetic/time-units.ts'

/** Nezlobin and Tassy’s constant for blocks of equal length. */
const FIXED_STEP = 1.7164

/**
 * Loss versus rebalancing per year of a whole constant-product curve, as a share of its value:
 * σ²/8.
 */
export function lvrShareOfWholeCurve(annualVolatility: number): number {
  return (annualVolatility * annualVolatility) / 8
}

/**
 * Loss versus rebalancing per year of a weighted pool, as a share of its value: σ²·w(1 − w)/2.
 * @param tokenWeight w in (0, 1)
 */
export function lvrShareOfWeightedPool(annualVolatility: number, tokenWeight: number): number {
  return (annualVolatility * annualVolatility * tokenWeight * (1 - tokenWeight)) / 2
}

/**
 * Of concentrated liquidity while it is in range, quote per year: σ²·L√p/4.
 *
 * @param liquidityTimesRoot L·√p, in quote
 * @see Milionis, Moallemi, Roughgarden, Zhang, “Automated market making and loss-versus-rebalancing” (2022)
 */
export function lvrInRange(annualVolatility: number, liquidityTimesRoot: number): number {
  return (annualVolatility * annualVolatility * liquidityTimesRoot) / 4
}

/**
 * Share of LVR that remains with a fee and blocks of equal length: 1/(1 + 1.7164·γ/σ_b).
 *
 * The paper writes σ_b²/(2 + 1.7164·γ/σ_b) with γ the whole width of the no-arbitrage band. That
 * width is twice the fee, so the 2 cancels.
 *
 * @param fee γ, for example 0.003
 * @param blockSeconds time between two blocks
 * @see Nezlobin and Tassy, “Loss-versus-rebalancing under deterministic and generalized
 * block-times” (2025); the exact engine agrees within two hundredths
 */
export function feeFactor(annualVolatility: number, fee: number, blockSeconds: number): number {
  const perBlock = annualVolatility * Math.sqrt(blockSeconds / YEAR_SECONDS)
  return perBlock === 0 ? 0 : 1 / (1 + (FIXED_STEP * fee) / perBlock)
}

/** The volume per day whose fees pay for a yearly loss. */
export function breakEvenDailyVolume(lvrPerYear: number, fee: number): number {
  return lvrPerYear / (365 * fee)
}
