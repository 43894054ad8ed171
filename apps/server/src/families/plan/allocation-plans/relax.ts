import type { AllocationTerms } from '@liquidity-os/engine/allocation'
import { quoteValue } from '@liquidity-os/engine/depth'
import { tailCut } from '@liquidity-os/engine/optimization'
import { solve } from '../../../market/optimization/highs.ts'
import type { AllocationPlan } from './allocation-input.ts'
import type { Problem } from './problem.ts'
import { constraintOf } from './shadow-prices.ts'
import { amountsOf, askWithin, type RiskState } from './solve-plan.ts'
import { type Verified, verify } from './verify.ts'

type Infeasibility = NonNullable<AllocationPlan['infeasibility']>
type Relaxation = Infeasibility['relaxation'][number]

/** Slack below is rounding. */
const nothing = 1e-7
/** Margin of a reported relaxation, so that a request with it is safely feasible. */
const spare = 1e-6
const million = 1_000_000

/**
 * Smallest relaxation of the limits, summed in quote, that achieves `attainment` for every target.
 * This is the elastic form of the model. The result contains values for request fields that the
 * found allocation satisfies, so a request with them is feasible.
 *
 * @param attainment 1 to meet the targets in full, 0 if the limits alone are contradictory
 */
export async function relaxationOf(
  problem: Problem,
  terms: AllocationTerms,
  risk: RiskState | null,
  attainment: number,
): Promise<Infeasibility | null> {
  // An option without its own bound must accept more than the budget.
  const options = terms.options.map((option, v) =>
    problem.options[v]?.maxQuote === null ? { ...option, most: option.most * 100 } : option,
  )
  const loose = { ...terms, options }
  const own = risk ? { limit: risk.limit, cuts: [...risk.cuts] } : null
  const answer = await askWithin(loose, own, { kind: 'RELAXATION', attainment }, solve)
  if (answer.status !== 'OPTIMAL') return null
  const amounts = amountsOf(terms, answer)
  const given = new Set(
    [...answer.primal]
      .filter(([name, value]) => name.startsWith('slack_') && value > nothing)
      .map(([name]) => name.slice('slack_'.length)),
  )
  const constraints = [...given].flatMap((row) => constraintOf(problem, row) ?? [])
  const relaxation = [
    ...limitsOf(problem, terms, amounts, given, risk),
    ...countsOf(problem, amounts),
    ...targetsOf(problem, amounts, given),
  ]
  return { constraints: [...new Set([...constraints, ...relaxation.map(nameOf)])], relaxation }
}

const nameOf = ({ constraint }: Relaxation) => constraint

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

function limitsOf(
  problem: Problem,
  terms: AllocationTerms,
  amounts: readonly number[],
  given: ReadonlySet<string>,
  risk: RiskState | null,
): Relaxation[] {
  const { request, unit, options, price, budget } = problem
  const { limits } = request
  const placed = sum(amounts)
  const raised = (constraint: string, from: string | number, to: bigint): Relaxation[] =>
    to > BigInt(from)
      ? [{ constraint, from: `${from}`, to: `${to}`, by: `${to - BigInt(from)}` }]
      : []
  const atoms = (units: number) => BigInt(Math.ceil(units * unit * (1 + spare)))
  const pips = (share: number) =>
    BigInt(Math.min(million, Math.ceil(share * (1 + spare) * million)))
  const found: Relaxation[] = []
  const inBase = atoms(sum(amounts.map((x, v) => x * (options[v]?.baseShare ?? 0))))
  const inQuote = atoms(sum(amounts.map((x, v) => x * (1 - (options[v]?.baseShare ?? 0)))))
  // Each range of a mint rounds up by up to one atom.
  const grains = BigInt(2 + options.reduce((count, { ranges }) => count + ranges.length, 0))
  const base = given.has('budget_base') ? (inBase * price.den) / price.num + grains : budget.base
  const quote = given.has('budget_quote') ? inQuote + grains : budget.quote
  found.push(...raised('budget.base', request.budget.base, base))
  found.push(...raised('budget.quote', request.budget.quote, quote))
  if (given.has('option') && placed > 0) {
    const max = Math.max(...amounts) / placed
    found.push(...raised('limits.perOptionPips', limits.perOptionPips, pips(max)))
  }
  if (given.has('venue') && placed > 0) {
    const byVenue = problem.venues.map((_, venue) =>
      sum(amounts.filter((_x, v) => options[v]?.venue === venue)),
    )
    const most = Math.max(...byVenue) / placed
    found.push(...raised('limits.perVenuePips', limits.perVenuePips, pips(most)))
  }
  if (given.has('chain')) {
    const worth = Number(quoteValue(base, price) + quote) / unit
    found.push(...raised('limits.perChainPips', limits.perChainPips, pips(placed / worth)))
  }
  if (given.has('turnover') && limits.turnoverQuote !== undefined) {
    const moved = sum(amounts.map((x, v) => Math.abs(x - (terms.options[v]?.existing ?? 0))))
    found.push(...raised('limits.turnoverQuote', limits.turnoverQuote, atoms(moved)))
  }
  if (given.has('risk') && risk && request.risk) {
    const { losses, confidencePips } = risk.limit
    const { cvar } = tailCut(losses, amounts, confidencePips)
    found.push(...raised('risk.maxCvarQuote', request.risk.maxCvarQuote, atoms(cvar)))
  }
  return found
}

/**
 * Relaxations of the limits on number and size of positions. They have no price in the model, so
 * they are read from the solution.
 */
function countsOf({ request, unit }: Problem, amounts: readonly number[]): Relaxation[] {
  const { maxPositions, minPositionQuote } = request.limits
  const used = amounts.filter((amount) => amount > 1e-6)
  const found: Relaxation[] = []
  if (maxPositions !== undefined && used.length > maxPositions) {
    const by = `${used.length - maxPositions}`
    found.push({
      constraint: 'limits.maxPositions',
      from: `${maxPositions}`,
      to: `${used.length}`,
      by,
    })
  }
  if (used.length === 0) return found
  const min = BigInt(Math.floor(Math.min(...used) * unit * (1 - spare)))
  if (minPositionQuote !== undefined && min < BigInt(minPositionQuote)) {
    const by = `${min - BigInt(minPositionQuote)}`
    found.push({
      constraint: 'limits.minPositionQuote',
      from: minPositionQuote,
      to: `${min}`,
      by,
    })
  }
  return found
}

/** Relaxed targets, measured by exact quotes on the minted allocation. */
function targetsOf(
  problem: Problem,
  amounts: readonly number[],
  given: ReadonlySet<string>,
): Relaxation[] {
  const lowered = problem.targets
    .map((target, b) => ({ target, b }))
    .filter(({ b }) => given.has(`depth_${b}`))
  if (lowered.length === 0) return []
  // The budget is relaxed too, so an effectively unlimited budget avoids truncation.
  const worth = 10n ** 30n * problem.budget.worth
  const verified = verify({ ...problem, budget: { base: worth, quote: worth, worth } }, amounts)
  return lowered.flatMap(({ target, b }) => changeOf(target, verified.quotes[b]))
}

function changeOf(
  { field, wantedQuote }: Problem['targets'][number],
  quote: Verified['quotes'][number] | undefined,
): Relaxation[] {
  const remainingMillionths = BigInt(Math.round(million * (1 - spare)))
  const to = ((quote?.exactQuote ?? 0n) * remainingMillionths) / BigInt(million)
  if (to >= wantedQuote) return []
  return [{ constraint: field, from: `${wantedQuote}`, to: `${to}`, by: `${to - wantedQuote}` }]
}
