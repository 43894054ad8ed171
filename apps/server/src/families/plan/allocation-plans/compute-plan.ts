import { performance } from 'node:perf_hooks'
import type { AllocationTerms } from '@liquidity-os/engine/allocation'
import { tailCut } from '@liquidity-os/engine/optimization'
import { limits } from '../../../limits.ts'
import { type AllocationInput, allocationDefaults } from './allocation-input.ts'
import { frontierOf } from './frontier.ts'
import { linearTargets, relinearized, termsOf, toleranceOf } from './model-terms.ts'
import { type Problem, readProblem } from './problem.ts'
import { relaxationOf } from './relax.ts'
import { type OptionOutlook, outlookOf } from './risk.ts'
import { type PlanSolution, type RiskState, solvePlan } from './solve-plan.ts'
import { type Verified, verify } from './verify.ts'

/** Maximum rounds of tightening targets that exact quotes miss. */
const maxRounds = 12
/** Sizes are linearized again in the first rounds; after that they are tightened like depths. */
const linearRounds = 3

/** All results of a plan computation. */
export interface ComputedPlan {
  problem: Problem
  outlook: readonly OptionOutlook[]
  terms: AllocationTerms
  risk: RiskState | null
  /** The last verified solution. */
  solution: PlanSolution
  verified: Verified | null
  /** True if exact quotes match the model within the tolerance. */
  isVerified: boolean
  rounds: number
  /** CVaR of the verified allocation, units; null without a CVaR limit. */
  cvar: number | null
  frontier: Awaited<ReturnType<typeof frontierOf>>
  infeasibility: Awaited<ReturnType<typeof relaxationOf>>
}

/**
 * Computes a plan. It solves the model, mints the allocation in copies of the pools, and quotes all
 * targets there. Missed targets are tightened and solved again. Equal input gives an equal plan.
 *
 * @param patienceMilliseconds maximum search time for the set of options
 * @throws AllocationRefusal 422 for an invalid request
 */
export async function computePlan(
  input: AllocationInput,
  patienceMilliseconds: number = limits.allocationSearchMilliseconds,
): Promise<ComputedPlan> {
  const problem = readProblem(input)
  const outlook = outlookOf(problem, input)
  const risk = riskOf(problem, outlook)
  const deadline = performance.now() + patienceMilliseconds
  const found = await verifiedPlan(problem, outlook, risk, deadline)
  const { terms, solution, verified, isVerified } = found
  const frontier = solution.status === 'OPTIMAL' ? await frontierOf(terms, risk) : []
  return {
    problem,
    outlook,
    risk,
    frontier,
    ...found,
    cvar: verified && risk ? cvarOf(problem, risk, verified) : null,
    infeasibility: await infeasibilityOf(problem, terms, risk, solution, isVerified),
  }
}

function riskOf({ request, unit }: Problem, outlook: readonly OptionOutlook[]): RiskState | null {
  if (!request.risk) return null
  const { confidencePips = allocationDefaults.confidencePips, maxCvarQuote } = request.risk
  const losses = outlook.map((option) => option.losses ?? new Float64Array())
  return { limit: { losses, confidencePips, limit: Number(maxCvarQuote) / unit }, cuts: [] }
}

function cvarOf({ unit }: Problem, { limit }: RiskState, { values }: Verified): number {
  const amounts = values.map((value) => Number(value) / unit)
  return tailCut(limit.losses, amounts, limit.confidencePips).cvar
}

type VerifiedPlan = Pick<ComputedPlan, 'terms' | 'solution' | 'verified' | 'isVerified' | 'rounds'>

async function verifiedPlan(
  problem: Problem,
  outlook: readonly OptionOutlook[],
  risk: RiskState | null,
  deadline: number,
): Promise<VerifiedPlan> {
  const tolerance = toleranceOf(problem)
  let targets = linearTargets(problem)
  let terms = termsOf(problem, outlook, targets)
  for (let rounds = 1; ; rounds += 1) {
    const solution = await solvePlan(terms, risk, tolerance, deadline)
    if (solution.status !== 'OPTIMAL') {
      return { terms, solution, verified: null, isVerified: false, rounds }
    }
    const verified = verify(problem, solution.amounts)
    const missed = missesOf(problem, verified, solution.attainment)
    const isVerified = missed.every(
      (miss, b) => miss <= tolerance * (terms.targets[b]?.wanted ?? 0),
    )
    if (isVerified || rounds === maxRounds) {
      return { terms, solution, verified, isVerified, rounds }
    }
    if (rounds <= linearRounds) targets = relinearized(problem, targets, verified.markets)
    terms = tightenedTerms(termsOf(problem, outlook, targets), terms, problem, missed, rounds)
  }
}

/** Shortfall of exact quotes against the modeled attainment per target, in units. */
function missesOf({ targets, unit }: Problem, { quotes }: Verified, attainment: number): number[] {
  return targets.map(({ wantedQuote }, b) => {
    const exact = Number(quotes[b]?.exactQuote ?? 0n)
    return Math.max(0, attainment * Number(wantedQuote) - exact) / unit
  })
}

function tightenedTerms(
  next: AllocationTerms,
  { targets }: AllocationTerms,
  problem: Problem,
  missed: readonly number[],
  rounds: number,
): AllocationTerms {
  return {
    ...next,
    targets: next.targets.map((target, b) => {
      const isAnew = problem.targets[b]?.target.kind === 'SIZE' && rounds <= linearRounds
      const before = isAnew ? target.tightened : (targets[b]?.tightened ?? 0)
      return { ...target, tightened: isAnew ? before : before + (missed[b] ?? 0) }
    }),
  }
}

/** Constraints that prevent any allocation, or one that meets every target. */
async function infeasibilityOf(
  problem: Problem,
  terms: AllocationTerms,
  risk: RiskState | null,
  solution: PlanSolution,
  isVerified: boolean,
) {
  if (solution.status !== 'OPTIMAL') {
    return solution.status === 'INFEASIBLE' ? relaxationOf(problem, terms, risk, 0) : null
  }
  const isMet = solution.attainment >= 1 - toleranceOf(problem) - 1e-9
  return isMet || !isVerified ? null : relaxationOf(problem, terms, risk, 1)
}
