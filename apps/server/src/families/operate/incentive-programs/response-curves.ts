import {
  type IncentiveBaseline,
  incentiveResponse,
  poolEffects,
  type ResponseDraw,
} from '@liquidity-os/engine/incentives'
import { normalQuantile } from '@liquidity-os/engine/numerics'
import type { Evaluation, ProgramPayload } from './read-program.ts'

/** A program and the programs that it cites, with their measurements, oldest first. */
export interface DrawnProgram {
  readonly payload: ProgramPayload
  readonly evaluations: readonly Evaluation[]
  readonly priors: readonly Evaluation[]
}

const million = 1_000_000
/** Maximum number of lines that remain distinguishable. */
const draws = 24

/** Quote atoms in whole tokens, for charts only. */
const inTokens = (atoms: string | number, { payload }: DrawnProgram): number =>
  Number(atoms) / 10 ** payload.request.pair.quoteDecimals

/** Daily reward of a venue in quote atoms, at the price of the program. */
function rewardPerDay({ payload }: DrawnProgram, index: number): number {
  const price = payload.evidence.assumptions.find(({ code }) => code === 'REWARD_PRICE')?.value
  const atoms = Number(payload.result.allocation[index]?.rewardPerDay ?? 0)
  return atoms * Number(price ?? 0)
}

/** Input of the response model for a venue of a program, quote atoms. */
function marketOf({ payload }: DrawnProgram, index: number): IncentiveBaseline | null {
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
function drawsOf(program: DrawnProgram, place: number): ResponseDraw[] {
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
function responseTo(
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

const steps = 10
const thousand = 1000
/** Shares of the draws below each value: minimum, median and maximum, with the middle 80 %. */
const quantiles = [0, 0.1, 0.5, 0.9, 1] as const

function quantilesOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b)
  return quantiles.map(
    (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!,
  )
}

/** Depth gain of a venue by reward per day, quote tokens. */
export interface ResponseCurve {
  /** Reward per day of the program. */
  readonly chosen: number
  /** Gains: minimum, p10, median, p90 and maximum of the draws. */
  readonly points: readonly { readonly reward: number; readonly gains: readonly number[] }[]
}

/** Null if the venue has no depth, no trades, or only own liquidity. */
export function responseCurve(program: DrawnProgram, index: number): ResponseCurve | null {
  const market = marketOf(program, index)
  const chosen = rewardPerDay(program, index)
  if (!market) return null
  const max = chosen > 0 ? chosen * 1.6 : market.volumePerDay * market.feeShare
  const { days } = program.payload.request
  const draws = drawsOf(program, index)
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    const reward = (max * step) / steps
    const gains = draws.map((draw) => responseTo(market, draw, reward, days).gained)
    return {
      reward: inTokens(reward, program),
      gains: quantilesOf(gains).map((gain) => inTokens(gain, program)),
    }
  })
  return { chosen: inTokens(chosen, program), points }
}

/**
 * Cost of 1,000 of depth at a venue per day: p10, median and p90 of the draws. Infinite for draws
 * without more depth; null without a reward or if most draws have no more depth.
 */
export function depthCosts(program: DrawnProgram, index: number): number[] | null {
  const market = marketOf(program, index)
  const reward = rewardPerDay(program, index)
  if (!market || reward === 0) return null
  const { days } = program.payload.request
  const costs = drawsOf(program, index).map((draw) => {
    const { depthDays } = responseTo(market, draw, reward, days)
    return depthDays > 0 ? (reward * days * thousand) / depthDays : Infinity
  })
  const [, low = Infinity, middle = Infinity, high = Infinity] = quantilesOf(costs)
  return Number.isFinite(middle) ? [low, middle, high] : null
}
