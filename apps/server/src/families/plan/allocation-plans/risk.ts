import {
  diffusionLoss,
  drawPathPrices,
  type PathPrices,
  positionLosses,
} from '@liquidity-os/engine/allocation'
import { yearSeconds } from '../../../units.ts'
import { pathModels, seedOf, studyDefaults } from '../../simulate/studies/api.ts'
import type { AllocationInput, AllocationRisk } from './allocation-input.ts'
import type { Problem, ProblemOption } from './problem.ts'

export interface OptionOutlook {
  /** Loss vs HODL per unit on each path; null without a study. */
  losses: Float64Array | null
  /** Mean loss, or the expected loss of a diffusion; null if unknown. */
  meanLoss: number | null
  /** Time-weighted share of active liquidity relative to all other liquidity, per unit. */
  feeWeight: number
}

/** Outlook per option, on the price paths of the study if available. */
export function outlookOf(
  { options, venues, orientation, request }: Problem,
  { risk }: Pick<AllocationInput, 'risk'>,
): OptionOutlook[] {
  const prices = risk ? pathPrices(risk, request.horizonSeconds) : null
  return options.map((option) => {
    const venue = venues[option.venue]
    if (!venue) throw new Error('An option has no venue.')
    if (prices) {
      const { loss, inRange } = positionLosses(venue.market, orientation, option.ranges, prices)
      return {
        losses: loss,
        meanLoss: loss.reduce((sum, value) => sum + value, 0) / loss.length,
        feeWeight: weightOf(option, inRange),
      }
    }
    const { volatility } = venue
    return {
      losses: null,
      meanLoss:
        volatility === null
          ? null
          : diffusionLoss(venue.market, orientation, option.ranges, {
              annualVolatility: volatility * Math.sqrt(yearSeconds),
              seconds: request.horizonSeconds,
            }),
      feeWeight: weightOf(option, null),
    }
  })
}

function weightOf({ activeWeights }: ProblemOption, inRange: readonly number[] | null): number {
  return activeWeights.reduce((sum, weight, index) => sum + weight * (inRange?.[index] ?? 1), 0)
}

/** Redraws the study's price paths. Its model, seed and engine determine them. */
function pathPrices(
  { spec, calibration, paths }: AllocationRisk,
  horizonSeconds: number,
): PathPrices {
  const stepSeconds = spec.stepSeconds ?? studyDefaults.stepSeconds
  // Flow does not affect the price here, so no flow model is needed.
  const quiet = { ...spec, flow: { kind: 'NONE' } } as const
  const known = { calibration: calibration ?? null, returns: null }
  const { price } = pathModels(quiet, stepSeconds, known)
  return drawPathPrices(price, {
    seed: Uint8Array.from(Buffer.from(seedOf(spec).slice(2), 'hex')),
    stepSeconds,
    steps: Math.max(1, Math.floor(horizonSeconds / stepSeconds)),
    paths,
  })
}
