import { type Decimal, negative, readDecimal } from './decimal.ts'

/** A linear program parsed from its text, in exact decimals. */
export interface ExactProgram {
  readonly objective: ReadonlyMap<string, Decimal>
  readonly rows: readonly {
    readonly name: string
    readonly terms: ReadonlyMap<string, Decimal>
    readonly relation: '<=' | '>=' | '='
    readonly bound: Decimal
  }[]
  readonly variables: ReadonlyMap<string, { readonly lower: Decimal; readonly upper: Decimal }>
  readonly binaries: readonly string[]
}

/**
 * Reads a program that `printLinearProgram` printed. Only that form: a certificate must not guess.
 *
 * @throws LinearProgramError for another text
 */
export function readLinearProgram(text: string): ExactProgram {
  const sections = sectionsOf(text)
  const [objective] = statementsOf(sections.Minimize)
  if (!objective) throw new LinearProgramError('Minimize', 'nothing')
  const variables = new Map(
    sections.Bounds.map((line) => {
      const found = /^ (\S+) <= (\S+) <= (\S+)$/.exec(line)
      if (!found) throw new LinearProgramError('Bounds', line)
      const [, lower = '', name = '', upper = ''] = found
      return [name, { lower: readDecimal(lower), upper: readDecimal(upper) }]
    }),
  )
  return {
    objective: termsOf(objective.replace(/^ obj:/, '')),
    rows: statementsOf(sections['Subject To']).map((statement) => {
      const found = /^ (\w+):(.*) (<=|>=|=) (\S+)$/s.exec(statement)
      if (!found) throw new LinearProgramError('Subject To', statement)
      const [, name = '', terms = '', relation, bound = ''] = found
      return {
        name,
        terms: termsOf(terms),
        // One of the three that the expression takes.
        relation: relation as '<=' | '>=' | '=',
        bound: readDecimal(bound),
      }
    }),
    variables,
    binaries: sections.Binary.map((line) => line.trim()),
  }
}

const titles = ['Minimize', 'Subject To', 'Bounds', 'Binary', 'End'] as const
type Title = (typeof titles)[number]

function sectionsOf(text: string): Record<Title, string[]> {
  const sections: Record<Title, string[]> = {
    Minimize: [],
    'Subject To': [],
    Bounds: [],
    Binary: [],
    End: [],
  }
  let open: string[] | null = null
  for (const line of text.split('\n')) {
    const title = titles.find((one) => one === line)
    if (title) open = sections[title]
    else if (open) open.push(line)
    else throw new LinearProgramError('the first line', line)
  }
  return sections
}

/** Statements begin with one space; their further lines with two. */
function statementsOf(lines: readonly string[]): string[] {
  const statements: string[] = []
  for (const line of lines) {
    if (line.startsWith('  ')) statements.push(`${statements.pop() ?? ''}${line.slice(1)}`)
    else statements.push(line)
  }
  return statements
}

function termsOf(text: string): Map<string, Decimal> {
  const terms = new Map<string, Decimal>()
  const words = text.trim().split(/\s+/)
  for (let at = 0; at < words.length; at += 3) {
    const [sign, number = '', name = ''] = words.slice(at, at + 3)
    if ((sign !== '+' && sign !== '-') || name === '' || terms.has(name)) {
      throw new LinearProgramError('a sum', text)
    }
    const coefficient = readDecimal(number)
    terms.set(name, sign === '-' ? negative(coefficient) : coefficient)
  }
  return terms
}

export class LinearProgramError extends Error {
  constructor(place: string, found: string) {
    super(`The linear program has ${found} in ${place}, which is not in canonical form.`)
  }
}
