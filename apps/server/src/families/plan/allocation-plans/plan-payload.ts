import { createHash } from 'node:crypto'
import { shareOutPips } from '@liquidity-os/engine/arithmetic'
import { canonicalize } from '@liquidity-os/evidence'
import { solverVersion } from '../../../market/optimization/solver-version.ts'
import { edgesOf } from '../../../market/range-edges.ts'
import { required } from '../../../required.ts'
import type { AllocationInput, AllocationPlan } from './allocation-input.ts'
import type { ComputedPlan } from './compute-plan.ts'
import { expectationOf } from './expectation.ts'
import { frontierPoints } from './frontier.ts'
import { toleranceOf } from './model-terms.ts'
import { shadowPricesOf } from './shadow-prices.ts'
import type { ProvedStage } from './solve-plan.ts'
import { attainmentPips, quoteTarget } from './verify.ts'

/** Result of a planning thread: figures, and hashed texts for verification. */
export interface PlanFigures {
  figures: Omit<AllocationPlan, 'request' | 'validUntil' | 'evidence'>
  /** Solved and certified models with their solutions. */
  texts: readonly { name: string; hash: string; text: string }[]
  gaps: AllocationPlan['evidence']['gaps']
}

const million = 1_000_000

/** The plan in the form of the API contract; amounts are decimal strings. */
export function figuresOf(computed: ComputedPlan, input: AllocationInput, ms: number): PlanFigures {
  const { problem, solution, verified, terms } = computed
  const stages = solution.status === 'OPTIMAL' ? solution.stages : []
  const texts = stages.flatMap(textsOf)
  const { state, reasons } = verdictOf(computed)
  const gaps = gapsOf(computed)
  return {
    figures: {
      state,
      reasons: [...reasons, ...gaps.map(({ code }) => code)],
      priceX18: `${(problem.price.num * 10n ** 18n) / problem.price.den}`,
      allocation: allocationOf(computed),
      capitalQuote: `${verified?.values.reduce((sum, value) => sum + value, 0n) ?? 0n}`,
      achieved: achievedOf(computed),
      expected: expectationOf(computed, input),
      shadowPrices:
        solution.status === 'OPTIMAL'
          ? shadowPricesOf(problem, solution.stages, solution.attainment)
          : [],
      frontier: computed.frontier.map((attainment, point) => ({
        capitalQuote: `${(problem.budget.worth * BigInt(point)) / BigInt(frontierPoints - 1)}`,
        minAttainmentPips: attainment === null ? null : pipsOf(attainment),
      })),
      solver: solverOf(computed, stages, texts, ms),
      infeasibility: computed.infeasibility,
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
    texts,
    gaps: terms.venueFees.length > 0 ? [] : gaps,
  }
}

const pipsOf = (share: number) => Math.min(million, Math.floor(share * million + 1e-3))

function verdictOf({ solution, isVerified, problem, verified }: ComputedPlan): {
  state: AllocationPlan['state']
  reasons: string[]
} {
  if (solution.status !== 'OPTIMAL') {
    if (solution.status === 'INFEASIBLE') return { state: 'ABSTAINED', reasons: ['INFEASIBLE'] }
    const isLate = solution.status === 'TIME_LIMIT'
    return { state: 'PARTIAL', reasons: [isLate ? 'TIME_LIMIT' : 'SOLVER_UNDECIDED'] }
  }
  const min = (1 - toleranceOf(problem)) * million
  const isMet = problem.targets.every((target, b) => {
    const quote = verified?.quotes[b]
    return quote !== undefined && attainmentPips(target, quote) >= Math.floor(min) - 1
  })
  const reasons = [
    ...(isVerified ? [] : ['VERIFICATION_TOLERANCE']),
    ...(isMet ? [] : ['TARGETS_NOT_MET']),
    ...(solution.stages.every(({ certificate }) => certificate.isProved)
      ? []
      : ['CERTIFICATE_GAP']),
  ]
  return { state: reasons.length === 0 ? 'COMPLETED' : 'PARTIAL', reasons }
}

function gapsOf({ terms, solution }: ComputedPlan): PlanFigures['gaps'] {
  if (terms.venueFees.length > 0 || solution.status !== 'OPTIMAL') return []
  return [
    {
      code: 'INCOME_UNKNOWN',
      detail:
        'Fees or losses of a venue are unknown. They require a day of observations and either a study or a volatility. The plan has the lowest cost. Plans of equal cost were not compared by income.',
    },
  ]
}

function allocationOf({ problem, verified }: ComputedPlan): AllocationPlan['allocation'] {
  if (!verified) return []
  const positions = problem.options.flatMap((option, v) => {
    const parts = verified.placements[v] ?? []
    const value = verified.values[v] ?? 0n
    const venue = problem.venues[option.venue]
    if (value === 0n || !venue) return []
    const worth = value / BigInt(parts.length)
    return parts.map(({ range, liquidity, base, quote }) => ({
      optionId: option.optionId,
      venueId: venue.id,
      valueQuote: `${worth}`,
      base: `${base}`,
      quote: `${quote}`,
      liquidity: `${liquidity}`,
      ...(venue.market.kind === 'UNISWAP_V3' ? edgesOf(range, problem.orientation) : {}),
    }))
  })
  const shares = shareOutPips(positions.map(({ valueQuote }) => BigInt(valueQuote)))
  return positions.map((position, index) => ({ ...position, sharePips: shares[index] ?? 0 }))
}

function achievedOf({ problem, verified }: ComputedPlan): AllocationPlan['achieved'] {
  if (!verified) return []
  const markets = problem.venues.map(({ market }) => market)
  return problem.targets.map((target, b) => {
    const quote = verified.quotes[b]
    if (!quote) throw new Error('A target has no quote.')
    return {
      target: target.stated,
      beforeQuote: `${quoteTarget(problem, markets, target).exactQuote}`,
      exactQuote: `${quote.exactQuote}`,
      attainmentPips: attainmentPips(target, quote),
      ...(quote.slippagePips === null ? {} : { slippagePips: quote.slippagePips }),
    }
  })
}

function textsOf(solved: ProvedStage): PlanFigures['texts'] {
  const { stage, text, primal, dual, basis } = solved
  const byName = (map: ReadonlyMap<string, number | string>) =>
    Object.fromEntries([...map].map(([name, value]) => [name, `${value}`]))
  const solution = canonicalize({
    primal: byName(primal),
    dual: byName(dual),
    basis: byName(basis),
  })
  return [
    { name: `model:${stage}`, hash: hashOf(text), text },
    { name: `solution:${stage}`, hash: hashOf(solution), text: solution },
  ]
}

const hashOf = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`

function solverOf(
  { solution, rounds, risk }: ComputedPlan,
  stages: readonly ProvedStage[],
  texts: PlanFigures['texts'],
  ms: number,
): AllocationPlan['solver'] {
  const hash = (stage: string) =>
    required(
      texts.find(({ name }) => name === `model:${stage}`),
      `model of the stage ${stage}`,
    ).hash
  const last = stages.at(-1)
  if (!last) return null
  const gaps = stages.map(({ certificate }) => certificate.gapPips)
  return {
    version: solverVersion,
    modelHash: hash(last.stage),
    status: solution.status,
    gapPips: `${gaps.reduce((max, gap) => (gap > max ? gap : max), 0n)}`,
    stages: stages.map(({ stage, certificate }) => ({
      stage,
      modelHash: hash(stage),
      isFeasible: certificate.isFeasible,
      violationE12: `${certificate.violationE12}`,
      gapPips: `${certificate.gapPips}`,
    })),
    rounds,
    cuts: risk?.cuts.length ?? 0,
    ms,
  }
}
