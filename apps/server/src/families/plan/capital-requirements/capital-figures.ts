import type { contract, Encodable } from '@liquidity-os/contract'
import type { Rat } from '@liquidity-os/engine/arithmetic'
import {
  type DepthTarget,
  depthCurve,
  type Inventory,
  ladderInventory,
  liquidityForDepths,
  scaleToBudget,
  targetLadder,
  wholeCurveInventory,
} from '@liquidity-os/engine/capital'
import { bufferOf } from './buffer-of.ts'
import { divergenceOf, riskOf, worthOf } from './risk-of-shape.ts'
import type { SolvedShape } from './solve-shape.ts'

type Input = contract.CapitalRequirementInput
/** The study before `encode` writes its amounts. */
export type StudyFigures = Encodable<contract.CapitalRequirementStudy>

/** Figures that need a price. */
export type Figures = Pick<
  StudyFigures,
  'base' | 'buffer' | 'total' | 'floor' | 'perShape' | 'budgetSolve' | 'gap' | 'curve'
>

const million = 1_000_000n
const x18 = 10n ** 18n
const defaults = { horizonDays: 10, confidencePips: 975_000 }

/** Results of a study, with a list of results that are only bounds. */
export function computed(
  request: Input,
  price: Rat,
  annualVolatility: number | null,
  solved: readonly SolvedShape[],
  { available, blockSeconds }: { available: Inventory | null; blockSeconds: number | null },
): { figures: Figures; gaps: contract.TreasuryGap[] } {
  const { horizonDays, confidencePips } = { ...defaults, ...request }
  const targets = targetsOf(solved)
  const base = solved.reduce((sum, { inventory }) => plus(sum, inventory), nothing)
  const flowQuote = flowOf(request, horizonDays)
  const buffer =
    annualVolatility === null
      ? null
      : bufferOf(solved, price, {
          annualVolatility,
          horizonDays,
          flowQuote,
          confidence: confidencePips / 1e6,
        })
  const total = buffer ? plus(base, buffer) : base
  const terms = { blockSeconds, horizonDays }
  const gaps: contract.TreasuryGap[] = (buffer?.bounded ?? []).map((subject) => ({
    code: 'BUFFER_BOUNDED',
    subject,
    effect: 'BOUNDED',
    detail:
      'The holdings of the shape after a move have no closed form. The buffer equals its full initial holdings.',
  }))
  return {
    gaps,
    figures: {
      base,
      buffer,
      total: { ...total, valueQuote: worthOf(total, price) },
      floor: ladderInventory(price, targetLadder(price, targets)),
      perShape: solved.map((shape) => ({
        shapeId: shape.request.shapeId,
        kind: shape.request.shape.kind,
        liquidity: shape.liquidity,
        bands: shape.bands ?? null,
        sqrtPriceX96: shape.sqrtPriceX96 === null ? null : `${shape.sqrtPriceX96}`,
        ...shape.inventory,
        valueQuote: worthOf(shape.inventory, price),
        achieved: shape.targets.map((target) => ({
          ...target,
          depthQuote: shape.depthAt(target),
        })),
        efficiencyPips: efficiencyOf(shape, price),
        ...riskOf(shape, price, annualVolatility, terms),
        divergence: divergenceOf(shape, price),
      })),
      budgetSolve: budgetOf(request, base, targets),
      gap: available && {
        token: above(total.token, available.token),
        quote: above(total.quote, available.quote),
      },
      curve: depthCurve((move) => solved.reduce((sum, { depthAt }) => sum + depthAt(move), 0n)),
    },
  }
}

const nothing: Inventory = { token: 0n, quote: 0n }
const plus = (a: Inventory, b: Inventory): Inventory => ({
  token: a.token + b.token,
  quote: a.quote + b.quote,
})
const above = (need: bigint, have: bigint) => (need > have ? need - have : 0n)

/** Combined depth of all shapes at each target. */
function targetsOf(solved: readonly SolvedShape[]): DepthTarget[] {
  const [first] = solved
  return (first?.targets ?? []).map((target, index) => ({
    ...target,
    depthQuote: solved.reduce((sum, shape) => sum + (shape.targets[index]?.depthQuote ?? 0n), 0n),
  }))
}

/** Expected quote outflow from sales over the horizon, rounded up. */
function flowOf({ flow }: Input, horizonDays: number): bigint {
  if (!flow) return 0n
  const days = BigInt(flow.dailyVolumeQuote) * BigInt(flow.netSellSharePips) * BigInt(horizonDays)
  return (days + million - 1n) / million
}

/** Value of a full-range position with the same targets, relative to the shape, rounded down. */
function efficiencyOf({ targets, inventory }: SolvedShape, price: Rat): number {
  const whole = wholeCurveInventory(price, liquidityForDepths(price, targets))
  const worth = worthOf(inventory, price)
  return worth === 0n ? 0 : Number((worthOf(whole, price) * million) / worth)
}

/** Every shape is homogeneous, so a budget covers the same share of every target. */
function budgetOf(
  { budget }: Input,
  base: Inventory,
  targets: readonly DepthTarget[],
): StudyFigures['budgetSolve'] {
  if (!budget || (base.token === 0n && base.quote === 0n)) return null
  const given = { token: BigInt(budget.token), quote: BigInt(budget.quote) }
  const { scaleX18, bindingSide } = scaleToBudget(base, given)
  return {
    scaleX18,
    bindingSide,
    targets: targets.map((target) => ({
      ...target,
      depthQuote: (target.depthQuote * scaleX18) / x18,
    })),
  }
}
