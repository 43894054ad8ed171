import { YEAR_SECONDS } from '../src/arithmetic/time-units.ts'
import { feeFactor } from '../src/capital/loss-versus-rebalancing.ts'
import { lossRatio } from './loss-ratio.ts'
import { newPool } from './monte-carlo-market.ts'

/** Volatility of the table, a year. */
export const annualVolatility = 0.8
export const fees = [500, 3000, 10_000] as const
export const steps = [12, 60, 300] as const

/** What steps of a length leave to arbitrage in a pool of a fee, parts of the loss without a fee. */
export interface StepLoss {
  readonly feePips: number
  readonly stepSeconds: number
  readonly formula: number
  readonly simulated: number
  readonly standardError: number
}

export function measureStep(feePips: number, stepSeconds: number, paths: number): StepLoss {
  const sigma = annualVolatility * Math.sqrt(stepSeconds / YEAR_SECONDS)
  const { withFees, standardError } = lossRatio(newPool({ feePips }), sigma, 'CONSTANT', paths)
  const formula = feeFactor(annualVolatility, feePips / 1_000_000, stepSeconds)
  return { feePips, stepSeconds, formula, simulated: withFees, standardError }
}

export const stepHead = [
  '| Fee | Step | Formula | Simulated | Against 12 s |',
  '| --- | --- | --- | --- | --- |',
]

/** A line of the table. @param shortest the same fee at the shortest step */
export function stepRow(row: StepLoss, shortest: StepLoss): string {
  const percent = (share: number, digits = 2) => `${(share * 100).toFixed(digits)} %`
  const simulated = `${percent(row.simulated)} ± ${percent(row.standardError)}`
  const times = `${(row.simulated / shortest.simulated).toFixed(2)} ×`
  return `| ${row.feePips / 10_000} % | ${row.stepSeconds} s | ${percent(row.formula)} | ${simulated} | ${times} |`
}
