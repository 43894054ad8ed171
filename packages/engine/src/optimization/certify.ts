import {
  type Decimal,
  decimalOf,
  isLess,
  larger,
  magnitude,
  minus,
  negative,
  partsOf,
  plus,
  readDecimal,
  times,
  ZERO,
} from './decimal.ts'
import { type ExactProgram, readLinearProgram } from './read-linear-program.ts'

/** Exact verification of a solution found in floats. */
export interface Certificate {
  /** Whether every row and bound is satisfied, up to a relative violation of 10^-9. */
  readonly isFeasible: boolean
  /** Largest violation of a row or bound as a part of its size, in 10^-12, rounded up. */
  readonly violationE12: bigint
  /** Distance of the value from its proved bound, in pips of the larger of the two, rounded up. */
  readonly gapPips: bigint
  /** `isFeasible`, and a gap of at most one pip. */
  readonly isProved: boolean
}

const E12 = 1_000_000_000_000n
const ALLOWED_E12 = 1000n
const MILLION = 1_000_000n
/** Values below count as zero; one budget is 1,000. */
const FLOOR = readDecimal('0.000001')

/**
 * Certifies a solution of a linear program against the exact solved text, in exact decimals.
 *
 *     bound = Σ y_i·b_i + Σ_j min(r_j·l_j, r_j·u_j),    r = c − Aᵀy
 *
 * For any multipliers y, no feasible point has a value below the bound, because every variable has
 * two finite bounds. Multipliers with the wrong sign count as zero. So a wrong dual cannot prove a
 * wrong primal; it only widens the gap. Binaries are relaxed to their bounds.
 *
 * @param text output of `printLinearProgram`
 * @param primal value of every variable
 * @param dual multiplier of every row; zero if absent
 * @throws LinearProgramError for another text
 * @see Neumaier and Shcherbina, “Safe bounds in linear and mixed-integer linear programming” (2004)
 */
export function certify(
  text: string,
  primal: ReadonlyMap<string, number>,
  dual: ReadonlyMap<string, number>,
): Certificate {
  const program = readLinearProgram(text)
  const point = new Map<string, Decimal>()
  for (const name of program.variables.keys()) {
    const value = primal.get(name) ?? Number.NaN
    if (!Number.isFinite(value)) return refused
    point.set(name, decimalOf(value))
  }
  const violationE12 = worstViolation(program, point)
  const value = sumOf(program.objective, point)
  const bound = safeBound(program, dual)
  const size = larger(larger(magnitude(value), magnitude(bound)), FLOOR)
  const gapPips = partsOf(magnitude(minus(value, bound)), size, MILLION)
  const isFeasible = violationE12 <= ALLOWED_E12
  return { isFeasible, violationE12, gapPips, isProved: isFeasible && gapPips <= 1n }
}

const refused: Certificate = {
  isFeasible: false,
  violationE12: E12,
  gapPips: MILLION,
  isProved: false,
}

function sumOf(terms: ReadonlyMap<string, Decimal>, point: ReadonlyMap<string, Decimal>): Decimal {
  let sum = ZERO
  for (const [name, coefficient] of terms) {
    sum = plus(sum, times(coefficient, point.get(name) ?? ZERO))
  }
  return sum
}

function worstViolation(program: ExactProgram, point: ReadonlyMap<string, Decimal>): bigint {
  let worst = 0n
  const note = (excess: Decimal, size: Decimal) => {
    if (excess.digits <= 0n) return
    const parts = partsOf(excess, larger(size, one), E12)
    if (parts > worst) worst = parts
  }
  for (const { terms, relation, bound } of program.rows) {
    const activity = sumOf(terms, point)
    let size = magnitude(bound)
    for (const [name, coefficient] of terms) {
      size = larger(size, magnitude(times(coefficient, point.get(name) ?? ZERO)))
    }
    if (relation !== '>=') note(minus(activity, bound), size)
    if (relation !== '<=') note(minus(bound, activity), size)
  }
  for (const [name, { lower, upper }] of program.variables) {
    const value = point.get(name) ?? ZERO
    note(minus(value, upper), magnitude(upper))
    note(minus(lower, value), magnitude(lower))
  }
  return worst
}

const one = readDecimal('1')

function safeBound(program: ExactProgram, dual: ReadonlyMap<string, number>): Decimal {
  let bound = ZERO
  const reduced = new Map(program.objective)
  for (const { name, terms, relation, bound: side } of program.rows) {
    const multiplier = decimalOf(finite(dual.get(name)))
    const isWrong =
      (relation === '>=' && multiplier.digits < 0n) || (relation === '<=' && multiplier.digits > 0n)
    if (isWrong || multiplier.digits === 0n) continue
    bound = plus(bound, times(multiplier, side))
    for (const [variable, coefficient] of terms) {
      const taken = negative(times(multiplier, coefficient))
      reduced.set(variable, plus(reduced.get(variable) ?? ZERO, taken))
    }
  }
  for (const [name, { lower, upper }] of program.variables) {
    const cost = reduced.get(name) ?? ZERO
    const [low, high] = [times(cost, lower), times(cost, upper)]
    bound = plus(bound, isLess(low, high) ? low : high)
  }
  return bound
}

const finite = (value: number | undefined) =>
  value !== undefined && Number.isFinite(value) ? value : 0
