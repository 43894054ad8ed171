import { valueAt } from '../declared/schema.ts'
import type { Units } from '../fields/units.tsx'
import {
  amountDial,
  countDial,
  type Dial,
  type DialGroup,
  depthGroup,
  present,
  shareDial,
  tradeGroup,
  withAt,
} from './dials.ts'

/** The adjustable part of an allocation request; the rest is sent unchanged. */
export interface AdjustableAllocation {
  budget: { base: string; quote: string }
  targets: readonly { side: string; bandPips: number; minQuote: string }[]
  sizeTargets?: readonly { side: string; sizeQuote: string; maxSlippagePips: number }[]
  limits: { perOptionPips: number; perVenuePips: number }
  risk?: { maxCvarQuote: string }
  horizonSeconds: number
}

const percent = 10_000
const daySeconds = 86_400
const shares = { least: percent, most: 100 * percent, step: percent }

/** The sliders of an allocation: its targets, its budget and its limits. */
export function allocationDials(request: AdjustableAllocation, units: Units): DialGroup[] {
  const { quote } = units
  return [
    ...request.targets.map(({ side, bandPips, minQuote }, index) =>
      depthGroup(
        { side, place: index },
        {
          depth: { path: `targets.${index}.minQuote`, is: minQuote },
          move: { path: `targets.${index}.bandPips`, is: bandPips },
        },
        quote,
      ),
    ),
    ...(request.sizeTargets ?? []).map(({ side, sizeQuote, maxSlippagePips }, index) =>
      tradeGroup(
        { side, place: index },
        {
          size: { path: `sizeTargets.${index}.sizeQuote`, is: sizeQuote },
          slippage: { path: `sizeTargets.${index}.maxSlippagePips`, is: maxSlippagePips },
        },
        quote,
      ),
    ),
    { name: 'Budget', dials: budgetDials(request, units) },
    { name: 'Limits', dials: limitDials(request, units) },
  ]
}

const budgetDials = ({ budget }: AdjustableAllocation, { base, quote }: Units): Dial[] =>
  present([
    amountDial(
      budget.base,
      { path: 'budget.base', name: `Maximum ${base?.symbol ?? 'base token'}` },
      base,
    ),
    amountDial(
      budget.quote,
      { path: 'budget.quote', name: `Maximum ${quote?.symbol ?? 'quote token'}` },
      quote,
    ),
  ])

const limitDials = (
  { limits, risk, horizonSeconds }: AdjustableAllocation,
  { quote }: Units,
): Dial[] =>
  present([
    shareDial(limits.perOptionPips, {
      path: 'limits.perOptionPips',
      name: 'Maximum per option',
      ...shares,
    }),
    shareDial(limits.perVenuePips, {
      path: 'limits.perVenuePips',
      name: 'Maximum per venue',
      ...shares,
    }),
    risk
      ? amountDial(risk.maxCvarQuote, { path: 'risk.maxCvarQuote', name: 'Maximum CVaR' }, quote)
      : null,
    horizonSeconds % daySeconds === 0
      ? countDial(
          horizonSeconds,
          { path: 'horizonSeconds', name: 'Horizon', least: 1, most: 365, step: 1 },
          'days',
          daySeconds,
        )
      : null,
  ])

/** Required relaxation of a limit or target to make a request feasible. */
export interface Relaxation {
  /** Path of the member in the request. */
  constraint: string
  from: string
  to: string
}

/** The request with one limit relaxed. Limits are amount strings or numbers. */
export function relaxed<Request>(request: Request, { constraint, to }: Relaxation): Request {
  const isNumber = typeof valueAt(request, constraint) === 'number'
  return withAt(request, constraint.split('.'), isNumber ? Number(to) : to) as Request
}
