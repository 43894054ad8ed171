import {
  type IncentiveBaseline,
  incentiveResponse,
  poolEffects,
  type ResponseDraw,
} from '@liquidity-os/engine/incentives'
import { normalQuantile } from '@liquidity-os/engine/numerics'
import type { Evaluation, ProgramPayload } from '../read-program.ts'

/** A program and the programs that it cites, with their measurements, oldest first. */
export interface DrawnProgram {
  readonly payload: ProgramPayload
  readonly evaluations: readonly Evaluation[]
  readonly priors: readonly Evaluation[]
}

const million = 1_000_000
/** Maximum number of lines that remain distinguishable. */
const draws = 24

/** Quote atoms in whole tokens, for chart positions only. */
export const inTokens = (atoms: string | number, { payload }: DrawnProgram): number =>
  Number(atoms) / 10 ** payload.request.pair.quoteDecimals

/** Daily reward of a venue in quote atoms, at the price of the program. */
export function rewardPerDay({ payload }: DrawnProgram, index: number): number {
  const price = payload.evidence.assumptions.find(({ code }) => code === 'REWARD_PRICE')?.value
  const atoms = Number(payload.result.allocation[index]?.rewardPerDay ?? 0)
  return atoms * Number(price ?? 0)
}

/** Label of a venue: the end of its id, because ids of one day share a prefix. */
export const venueWords = (venueId: string) => `…${venueId.slice(-8)}`

/** Input of the response model for a venue of a program, quote atoms. */
export function marketOf({ payload }: DrawnProgram, index: number): IncentiveBaseline | null {
  const venue = payload.baseline.venues[index]
  if (!venue) return null
  const depth = Number(venue.depthQuote)
  const volumePerDay = Number(venue.volumePerDay)
  const ownShare = venue.ownSharePips / million
  if (!(depth > 0) || !(volumePerDay > 0) || ownShare >= 1) return null
  const feeShare = Number(venue.feesPerDay) / volumePerDay
  return {
    liquidity: depth * (1 - ownShare),
    ownLiquidity: depth * ownShare,
    volumePerDay,
    feeShare,
  }
}

/** True if an earlier program has measured the response of liquidity. */
export const isMeasured = ({ priors }: DrawnProgram) =>
  priors.some(({ responsePips }) => responsePips !== null)

/**
 * Parameters that are consistent with the evidence. They are spread evenly over their errors, so the
 * same record gives the same lines. Without a measured program, all responses from 0 to 1 are equally
 * likely.
 */
export function drawsOf(program: DrawnProgram, place: number): ResponseDraw[] {
  const { priors, payload } = program
  const venue = payload.baseline.venues[place]
  const known = priors.flatMap(({ responsePips, responseErrorPips }) =>
    responsePips === null
      ? []
      : [
          {
            mean: responsePips.estimatePips / million,
            standardError: (responseErrorPips ?? 0) / million,
          },
        ],
  )
  const pooled = known.length > 0 ? poolEffects(known) : null
  const spread = pooled ? Math.sqrt(pooled.standardError ** 2 + pooled.between ** 2) : 0
  const speeds = priors.flatMap(({ speedPerDayPips }) => speedPerDayPips ?? [])
  const speedPerDay = Math.min(1, Math.max(0.01, (speeds.at(-1) ?? million) / million))
  const [slope, error] = venue?.elasticityIsIdentified
    ? [venue.elasticityPips / million, venue.elasticityErrorPips / million]
    : [0, 0]
  return Array.from({ length: draws }, (_, index) => {
    const even = (index + 0.5) / draws
    // The same positions in another order, so the two parameters are not correlated.
    const mixed = ((index * 7 + 3) % draws) / draws + 0.5 / draws
    const response = pooled ? pooled.mean + spread * normalQuantile(even) : even
    return {
      elasticity: bounded(slope + error * normalQuantile(mixed), 0, 0.95),
      response: bounded(response, 0, 1),
      speedPerDay,
      retention: 0,
    }
  })
}

const bounded = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))

/** Depth above the baseline at the end, and its sum over the days, in quote atoms. */
export function responseTo(
  market: IncentiveBaseline,
  draw: ResponseDraw,
  reward: number,
  days: number,
): { gained: number; depthDays: number } {
  if (reward === 0 || draw.response === 0) return { gained: 0, depthDays: 0 }
  const path = incentiveResponse(market, draw, reward, days)
  return {
    gained: (path.days.at(-1)?.liquidity ?? market.liquidity) - market.liquidity,
    depthDays: path.days.reduce((sum, { liquidity }) => sum + liquidity - market.liquidity, 0),
  }
}
