/** One coefficient of a variable. */
export interface Term {
  readonly variable: string
  readonly coefficient: number
}

/** A constraint: Σ coefficient·variable compared with a bound. */
export interface Row {
  /** Letters, digits and underscores; different from all others. */
  readonly name: string
  readonly terms: readonly Term[]
  readonly relation: '<=' | '>=' | '='
  readonly bound: number
}

/** A variable between two finite bounds: a certificate needs both. */
export interface Variable {
  /** Begins with a letter other than e, which some readers take for a power of ten. */
  readonly name: string
  readonly lower: number
  readonly upper: number
  /** Either 0 or 1. */
  readonly isBinary?: boolean
}

/** A linear program, always to be minimized. */
export interface LinearProgram {
  readonly objective: readonly Term[]
  readonly rows: readonly Row[]
  readonly variables: readonly Variable[]
}

/**
 * Digits of a printed number. Solver and certificate use the printed program, not the original
 * floats.
 */
const DIGITS = 12
/** Coefficients below are printed as none: solvers drop them, and a certificate must know the same program. */
const SMALLEST_COEFFICIENT = 1e-9
const TERMS_PER_LINE = 6

/**
 * The program in canonical CPLEX LP format: rows and variables in order, numbers with 12
 * significant digits and no trailing zeros. The same program has the same text on every machine.
 *
 * @throws RangeError for a number that is not finite, a bad or repeated name, or inverted bounds
 */
export function printLinearProgram({ objective, rows, variables }: LinearProgram): string {
  assertNames([...rows, ...variables])
  const known = new Set(variables.map(({ name }) => name))
  const print = (terms: readonly Term[]) => printTerms(terms, known)
  const binaries = variables.filter(({ isBinary }) => isBinary)
  return [
    'Minimize',
    ` obj:${print(objective)}`,
    'Subject To',
    ...rows.map(
      ({ name, terms, relation, bound }) =>
        ` ${name}:${print(terms)}\n  ${relation} ${printNumber(bound)}`,
    ),
    'Bounds',
    ...variables.map(({ name, lower, upper }) => {
      if (lower > upper)
        throw new RangeError(`${name} has the lower bound ${lower} above the upper bound ${upper}`)
      return ` ${printNumber(lower)} <= ${name} <= ${printNumber(upper)}`
    }),
    ...(binaries.length > 0 ? ['Binary', ...binaries.map(({ name }) => ` ${name}`)] : []),
    'End',
    '',
  ].join('\n')
}

/** A number with 12 significant digits, as the program prints it. @throws RangeError unless finite */
export function printNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not valid in a linear program`)
  // Adding zero makes one of minus zero.
  return String(Number(value.toPrecision(DIGITS)) + 0)
}

function printTerms(terms: readonly Term[], known: ReadonlySet<string>): string {
  const kept = terms.filter(({ coefficient }) => !(Math.abs(coefficient) < SMALLEST_COEFFICIENT))
  const words = kept.map(({ variable, coefficient }, index) => {
    if (!known.has(variable)) throw new RangeError(`${variable} is not a variable of the program`)
    const sign = coefficient < 0 ? '-' : '+'
    const turn = index > 0 && index % TERMS_PER_LINE === 0 ? '\n  ' : ' '
    return `${turn}${sign} ${printNumber(Math.abs(coefficient))} ${variable}`
  })
  // A row without terms must remain a row, so it contains one variable with coefficient zero.
  const [any] = known
  return words.length > 0 ? words.join('') : ` + 0 ${any}`
}

function assertNames(all: readonly { readonly name: string }[]): void {
  const seen = new Set<string>()
  for (const { name } of all) {
    if (!/^[a-df-zA-DF-Z][a-zA-Z0-9_]*$/.test(name) || seen.has(name)) {
      throw new RangeError(`the name ${name} is not valid or not unique in a linear program`)
    }
    seen.add(name)
  }
}
