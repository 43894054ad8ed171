import { poolEffects, type ResponseDraw, volumeElasticity } from '@liquidity-os/engine/incentives'
import { stationaryBootstrapIndices } from '@liquidity-os/engine/random'
import { type ProgramBaseline, type ProgramTask, streamOf } from './program-problem.ts'

export type VenueDraw = ResponseDraw & {
  /** Depth on the drawn days. */
  readonly depth: number
  readonly volumePerDay: number
}

export const drawCount = 400

/**
 * Draws parameters from the evidence. Baseline days are drawn in blocks, common to all venues.
 * Response, speed and retention use earlier programs, with their errors and their variance.
 */
export function responseDraws(
  task: ProgramTask,
  { venues, meanBlock }: ProgramBaseline,
): VenueDraw[][] {
  const { priors } = task
  const pooled = poolEffects(
    priors.map(({ response, responseError }) => ({ mean: response, standardError: responseError })),
  )
  const spread = Math.sqrt(pooled.standardError ** 2 + pooled.between ** 2)
  const isIdentified = venues.map(({ panel }) => volumeElasticity(panel.days).isIdentified)
  const length = venues[0]?.panel.days.length ?? 0
  const stream = streamOf(task, 2)
  return Array.from({ length: drawCount }, () => {
    const indices = stationaryBootstrapIndices(stream, length, length, meanBlock)
    const response = Math.min(Math.max(pooled.mean + spread * stream.normal(), 0), 1)
    const prior = priors[Math.floor(stream.uniform() * priors.length)]
    return venues.map(({ panel, depth }, itemIndex): VenueDraw => {
      const days = Array.from(indices, (index) => panel.days[index]!)
      const depths = days.flatMap((day) => (day.depth === null ? [] : [day.depth]))
      const mean = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value, 0) / values.length
      return {
        elasticity: isIdentified[itemIndex] ? volumeElasticity(panel.days, indices).elasticity : 0,
        response,
        speedPerDay: prior?.speedPerDay ?? 1,
        retention: prior?.retention ?? 0,
        depth: depths.length > 0 ? mean(depths) : depth,
        volumePerDay: mean(days.map(({ volume }) => volume)),
      }
    })
  })
}
