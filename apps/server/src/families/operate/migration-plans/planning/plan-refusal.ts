import type { FieldErrors } from '@liquidity-os/contract'
import type { DepthFloor } from '@liquidity-os/engine/migration'
import { Failure } from '../../../../failure.ts'
import type { PlanAnswer } from './plan-task.ts'

type Refused = Extract<PlanAnswer, { tranches: null }>

/** Reason for the absence of a plan: the depth minimum and step, or the limit that fails. */
export function refusedPlan(
  { refusal, tried, stopped }: Refused,
  floors: readonly DepthFloor[],
): Failure {
  if (refusal === 'TRANCHE_TOO_LARGE') {
    return new Failure('LIQUIDITY_MIGRATION_INPUT_INVALID', {
      fieldErrors: {
        'payload.constraints.maxStepQuote': ['is too small for 64 tranches and the pilot'],
      },
    })
  }
  const at = stopped ? `step ${stopped.index}, ${stopped.step.kind},` : 'the plan'
  if (refusal !== 'DEPTH_BELOW_FLOOR') {
    const path = refusal === 'SLIPPAGE' ? 'maxSlippagePips' : 'priceBandX18'
    const isLimit = refusal === 'SLIPPAGE' || refusal === 'PRICE_OUT_OF_BAND'
    return new Failure('LIQUIDITY_MIGRATION_STEP_REFUSED', {
      fieldErrors: {
        [isLimit ? `payload.constraints.${path}` : 'payload.to']: [
          `${at} of a plan in ${tried} tranches is rejected: ${refusal}`,
        ],
      },
    })
  }
  const faults: FieldErrors = {}
  for (const [index, { bandPips, side, quote }] of floors.entries()) {
    const found = stopped?.depth.find((rung) => rung.bandPips === bandPips && rung.side === side)
    const depth = found?.quote ?? 0n
    if (depth >= quote) continue
    faults[`payload.constraints.minDepth.${index}`] = [
      `${at} of a plan in ${tried} tranches leaves depth ${depth} within ${bandPips} pips (${side})`,
    ]
  }
  return new Failure('LIQUIDITY_MIGRATION_FLOOR_UNREACHABLE', { fieldErrors: faults })
}
