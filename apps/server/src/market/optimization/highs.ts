import { type LinearProgram, printLinearProgram } from '@liquidity-os/engine/optimization'
import loader, { type LegacyHighs } from 'highs'
import { limits } from '../../limits.ts'

export type Solved =
  | {
      status: 'OPTIMAL'
      /** Program text given to the solver. */
      text: string
      primal: Map<string, number>
      /** Row multipliers; empty for a program with binaries. */
      dual: Map<string, number>
      /** Reduced costs of the variables; empty for a program with binaries. */
      reduced: Map<string, number>
      /**
       * Basis status per variable: basic, or the active bound; empty for a program with binaries.
       */
      basis: Map<string, string>
    }
  | Unsolved

/**
 * UNDECIDED: the solver could not settle the program numerically. It found neither an optimum nor a
 * proof of infeasibility.
 */
export interface Unsolved {
  status: 'INFEASIBLE' | 'TIME_LIMIT' | 'UNDECIDED'
  text: string
}

// Its declarations are written for CommonJS; as a module the default is the loader itself.
const loadHighs = loader as unknown as () => Promise<LegacyHighs>
let loaded: Promise<LegacyHighs> | null = null

/**
 * Solves a linear or mixed-integer program. Blocks its thread, so call it in a worker; each worker
 * loads the solver once. Linear programs give bit-exact results on every machine. So do programs
 * with binaries, unless they time out.
 *
 * @param seconds time limit for a program with binaries
 */
export async function solve(
  program: LinearProgram,
  seconds: number = limits.solverSeconds,
): Promise<Solved> {
  loaded ??= loadHighs()
  const highs = await loaded
  const text = printLinearProgram(program)
  const hasBinaries = program.variables.some(({ isBinary }) => isBinary)
  const answer = highs.solve(text, {
    output_flag: false,
    threads: 1,
    parallel: 'off',
    random_seed: 0,
    primal_feasibility_tolerance: 1e-9,
    dual_feasibility_tolerance: 1e-9,
    // Without presolve, each row multiplier is exactly that of the simplex.
    ...(hasBinaries
      ? { time_limit: Math.max(0.001, seconds), mip_rel_gap: 1e-9, mip_feasibility_tolerance: 1e-9 }
      : { solver: 'simplex', presolve: 'off' }),
  })
  if (answer.Status === 'Time limit reached') return { status: 'TIME_LIMIT', text }
  if (answer.Status === 'Infeasible' || answer.Status === 'Primal infeasible or unbounded') {
    return { status: 'INFEASIBLE', text }
  }
  if (answer.Status !== 'Optimal') return { status: 'UNDECIDED', text }
  const columns = Object.values(answer.Columns)
  return {
    status: 'OPTIMAL',
    text,
    primal: new Map(columns.map((column) => [column.Name, column.Primal])),
    dual: new Map(
      answer.Rows.flatMap((row) => ('Dual' in row ? [[row.Name, row.Dual] as const] : [])),
    ),
    reduced: new Map(
      columns.flatMap((column) => ('Dual' in column ? [[column.Name, column.Dual] as const] : [])),
    ),
    basis: new Map(
      columns.flatMap((column) =>
        'Status' in column ? [[column.Name, String(column.Status)] as const] : [],
      ),
    ),
  }
}
