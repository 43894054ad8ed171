import { performance } from 'node:perf_hooks'
import {
  type AllocationStage,
  type AllocationTerms,
  buildAllocationModel,
} from '@liquidity-os/engine/allocation'
import { type Solved, solve, type Unsolved } from '../../../market/optimization/highs.ts'
import { type Proved, solveProved } from '../../../market/optimization/solve-proved.ts'
import { type Cut, type TailLimit, withinTail } from '../../../market/optimization/tail-limit.ts'

/** The limit on the tail and the cuts found for it so far; null where there is no limit. */
export interface RiskState {
  limit: TailLimit
  cuts: Cut[]
}

export type StageName = 'ATTAINMENT' | 'CAPITAL' | 'INCOME'
export type ProvedStage = { stage: StageName } & Extract<Proved, { status: 'OPTIMAL' }>

/** The answers to the questions in turn, or why there is none. */
export type PlanSolution =
  | {
      status: 'OPTIMAL'
      /** Units per option. */
      amounts: readonly number[]
      /** The share of every target that is met, 0..1. */
      attainment: number
      stages: readonly ProvedStage[]
    }
  | { status: Unsolved['status'] }

/** What is given back of a proved optimum, so that the next question has room beside it. */
export const attainmentSlack = 1e-9

/**
 * Asks the model in turn: the largest share of the targets, the least capital for it, the largest income with
 * both. With sizes or a number of positions to keep, which options are used is decided first; then the
 * programs are solved again without binaries, so that every answer has multipliers and a proof.
 *
 * @param tolerance by how much more capital the income may use, a share
 * @param deadline  until when it may be searched which options are used, as `performance.now` counts
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
  if (!open) throw new Error('A choice without an answer.')
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

/** What was answered once has an answer, so a program said to have none is one that the solver cannot settle. */
const unsettled = ({ status }: Unsolved) => (status === 'TIME_LIMIT' ? 'TIME_LIMIT' : 'UNDECIDED')

const isOptimal = <Found extends Optimum>(answer: Found | Unsolved): answer is Found =>
  answer.status === 'OPTIMAL'

/** One question, asked until the tail of the losses is within its limit. */
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

/** By how much a relaxation passes the limit on the tail, and the solver its own row. */
function givenWay({ primal }: { primal: ReadonlyMap<string, number> }): number {
  const slack = primal.get('slack_risk')
  return slack === undefined ? 0 : slack + 1e-8
}

/** Less is nothing: a position of a millionth of the budget's thousandth, far above the solver's tolerance. */
export const dust = 1e-6

/** Units per option of an answer. */
export function amountsOf(
  { options }: AllocationTerms,
  { primal }: { primal: ReadonlyMap<string, number> },
): number[] {
  return options.map((_, v) => {
    const amount = primal.get(`x${v}`) ?? 0
    return amount < dust ? 0 : amount
  })
}
