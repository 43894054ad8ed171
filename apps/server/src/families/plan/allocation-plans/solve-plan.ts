import { performance } from 'node:perf_hooks'
import {
  type AllocationStage,
  type AllocationTerms,
  buildAllocationModel,
} from '@liquidity-os/engine/allocation'
import { type Solved, solve, type Unsolved } from '../../../market/optimization/highs.ts'
import { type Proved, solveProved } from '../../../market/optimization/solve-proved.ts'
import { type Cut, type TailLimit, withinTail } from '../../../market/optimization/tail-limit.ts'

/** Tail limit and the cuts found so far; null without a limit. */
export interface RiskState {
  limit: TailLimit
  cuts: Cut[]
}

export type StageName = 'ATTAINMENT' | 'CAPITAL' | 'INCOME'
export type ProvedStage = { stage: StageName } & Extract<Proved, { status: 'OPTIMAL' }>

export type PlanSolution =
  | {
      status: 'OPTIMAL'
      /** Units per option. */
      amounts: readonly number[]
      /** Attained share of every target, 0..1. */
      attainment: number
      stages: readonly ProvedStage[]
    }
  | { status: Unsolved['status'] }

/** Slack on a proven optimum, so that the next stage stays feasible. */
export const attainmentSlack = 1e-9

/**
 * Solves in stages: maximum attainment, then minimum capital, then maximum income. Minimum sizes or
 * position counts need binaries, which choose the options first. The programs are then solved again
 * without binaries, so that every stage has multipliers and a proof.
 *
 * @param tolerance share of additional capital allowed for income
 * @param deadline end of the search for the options, in `performance.now` time
 */
export async function solvePlan(
  terms: AllocationTerms,
  risk: RiskState | null,
  tolerance: number,
  deadline: number,
): Promise<PlanSolution> {
  const isCounted = terms.leastPosition !== null || terms.mostPositions !== null
  if (!isCounted) return inTurn(terms, risk, tolerance, solveProved)
  const search = (program: Program) => solve(program, (deadline - performance.now()) / 1000)
  const chosen = await inTurn(terms, risk, tolerance, search)
  if (chosen.status !== 'OPTIMAL') return chosen
  const open = chosen.stages.at(-1)?.primal
  if (!open) throw new Error('The solver result has no solution.')
  const decided = terms.options.map((_, v) => (open.get(`z${v}`) ?? 0) > 0.5)
  return inTurn({ ...terms, open: decided }, risk, tolerance, solveProved)
}

type Program = ReturnType<typeof buildAllocationModel>
type Optimum = Extract<Solved, { status: 'OPTIMAL' }>
type InTurn<Found> =
  | {
      status: 'OPTIMAL'
      amounts: readonly number[]
      attainment: number
      stages: readonly ({ stage: StageName } & Found)[]
    }
  | { status: Unsolved['status'] }

async function inTurn<Found extends Optimum>(
  terms: AllocationTerms,
  risk: RiskState | null,
  tolerance: number,
  solver: (program: Program) => Promise<Found | Unsolved>,
): Promise<InTurn<Found>> {
  const ask = (stage: AllocationStage) => askWithin(terms, risk, stage, solver)
  const first = await ask({ kind: 'ATTAINMENT', mostCapital: null })
  if (!isOptimal(first)) return { status: first.status }
  const attainment = Math.max(0, (first.primal.get('t') ?? 0) - attainmentSlack)
  const second = await ask({ kind: 'CAPITAL', attainment })
  if (!isOptimal(second)) return { status: unsettled(second) }
  const stages: ({ stage: StageName } & Found)[] = [
    { stage: 'ATTAINMENT', ...first },
    { stage: 'CAPITAL', ...second },
  ]
  if (terms.venueFees.length > 0) {
    const capital = amountsOf(terms, second).reduce((sum, amount) => sum + amount, 0)
    const maxCapital = capital * (1 + tolerance) + attainmentSlack
    const third = await ask({ kind: 'INCOME', attainment, mostCapital: maxCapital })
    if (!isOptimal(third)) return { status: unsettled(third) }
    stages.push({ stage: 'INCOME', ...third })
  }
  const last = stages.at(-1) ?? second
  return { status: 'OPTIMAL', amounts: amountsOf(terms, last), attainment, stages }
}

/** An earlier stage was feasible, so a report of infeasibility means that the solver failed. */
const unsettled = ({ status }: Unsolved) => (status === 'TIME_LIMIT' ? 'TIME_LIMIT' : 'UNDECIDED')

const isOptimal = <Found extends Optimum>(answer: Found | Unsolved): answer is Found =>
  answer.status === 'OPTIMAL'

/** Solves one stage, and repeats it until the tail loss is within its limit. */
export async function askWithin<Found extends Optimum>(
  terms: AllocationTerms,
  risk: RiskState | null,
  stage: AllocationStage,
  solver: (program: Program) => Promise<Found | Unsolved>,
): Promise<Found | Unsolved> {
  const ask = (cuts: readonly Cut[]) => solver(buildAllocationModel({ ...terms, cuts }, stage))
  if (!risk) return ask([])
  const answer = await withinTail(
    risk.limit,
    risk.cuts,
    ask,
    (answer) => (isOptimal(answer) ? amountsOf(terms, answer) : null),
    (answer) => (isOptimal(answer) ? givenWay(answer) : 0),
  )
  return answer ?? { status: 'UNDECIDED', text: '' }
}

/** Excess over the tail-loss limit: the slack of the relaxed row, plus the solver tolerance. */
function givenWay({ primal }: { primal: ReadonlyMap<string, number> }): number {
  const slack = primal.get('slack_risk')
  return slack === undefined ? 0 : slack + 1e-8
}

/** Values below count as zero. Far above the solver's tolerance. */
export const dust = 1e-6

/** Solution in units per option. */
export function amountsOf(
  { options }: AllocationTerms,
  { primal }: { primal: ReadonlyMap<string, number> },
): number[] {
  return options.map((_, v) => {
    const amount = primal.get(`x${v}`) ?? 0
    return amount < dust ? 0 : amount
  })
}
