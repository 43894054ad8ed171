import { exp } from '../numerics/exp.ts'
import { ln } from '../numerics/ln.ts'

/** Almgren and Chriss's terms in market units. */
export interface ExecutionTerms {
  readonly quantity: number
  readonly days: number
  /** λ, risk aversion per quote. */
  readonly riskAversion: number
  readonly price: number
  readonly dailyVolatility: number
  readonly dailyVolume: number
  /** φ, participation rate for the temporary impact. */
  readonly participation: number
  readonly y?: number
}

/** The trajectory of least cost and risk. */
export interface ExecutionPlan {
  readonly kappa: number
  /** Holdings at the end of every day. */
  readonly holdings: readonly number[]
  readonly expectedCost: number
  readonly standardDeviation: number
}

/** Permanent impact per σ and ADV as measured on stocks. */
const PERMANENT = 0.314

/**
 * Holdings of the trajectory that trades impact against risk, one trade a day.
 *
 *     cosh κ = λσ²/(2η̃) + 1,  η̃ = η − γ/2,  η = Yσp√φ/(φ·ADV),  γ = 0.314·σp/ADV
 *     x_j = X·sinh κ(N − j)/sinh κN;   E = ½γX² + η̃·Σ n²,   V = σ²p²·Σ x_j²
 *
 * @throws RangeError if the permanent impact leaves no temporary impact
 * @see Almgren and Chriss, “Optimal execution of portfolio transactions” (2000)
 * @see Almgren et al., “Direct estimation of equity market impact” (2005) for 0.314
 */
export function executionPlan(terms: ExecutionTerms): ExecutionPlan {
  const { quantity, days, riskAversion, price, dailyVolatility, dailyVolume } = terms
  const sigma = dailyVolatility * price
  const eta = temporaryImpact(terms)
  const gamma = (PERMANENT * sigma) / dailyVolume
  const net = eta - gamma / 2
  if (!(net > 0)) throw new RangeError('the permanent impact exceeds the temporary impact')
  const kappa = inverseCosh((riskAversion * sigma * sigma) / (2 * net) + 1)
  const holdings = Array.from({ length: days }, (_, j) =>
    kappa === 0
      ? (quantity * (days - j - 1)) / days
      : quantity * sinhRatio(kappa * (days - j - 1), kappa * days),
  )
  let squares = 0
  let trades = 0
  let before = quantity
  for (const held of holdings) {
    squares += held * held
    trades += (before - held) * (before - held)
    before = held
  }
  return {
    kappa,
    holdings,
    expectedCost: (gamma * quantity * quantity) / 2 + net * trades,
    standardDeviation: sigma * Math.sqrt(squares),
  }
}

/** Risk aversion whose trajectory has the timescale 1/κ, in days. */
export function riskAversionFor(
  terms: Omit<ExecutionTerms, 'riskAversion'>,
  timescaleDays: number,
): number {
  const sigma = terms.dailyVolatility * terms.price
  const net = temporaryImpact(terms) - (PERMANENT * sigma) / terms.dailyVolume / 2
  return ((cosh(1 / timescaleDays) - 1) * 2 * net) / (sigma * sigma)
}

function temporaryImpact(terms: Omit<ExecutionTerms, 'riskAversion'>): number {
  const { dailyVolatility, price, participation, dailyVolume, y = 1 } = terms
  return (y * dailyVolatility * price * Math.sqrt(participation)) / (participation * dailyVolume)
}

/** sinh a / sinh b for 0 ≤ a ≤ b, b above zero, without the overflow of either: e^(a−b)·(1 − e^−2a)/(1 − e^−2b). */
function sinhRatio(a: number, b: number): number {
  return (exp(a - b) * (1 - exp(-2 * a))) / (1 - exp(-2 * b))
}

function cosh(x: number): number {
  return (exp(x) + exp(-x)) / 2
}

function inverseCosh(x: number): number {
  return ln(x + Math.sqrt(x * x - 1))
}
