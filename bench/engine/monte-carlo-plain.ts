import type { EstimatorConstants } from '../../packages/engine/src/montecarlo/estimator/terms.ts'

/**
 * The model as plain JavaScript has it: Math.random, Box and Muller with one normal kept, Math.exp.
 *
 * @returns sums of losses and fees over the paths
 */
export function runPlainly(k: EstimatorConstants, paths: number): { lvr: number; fees: number } {
  const total = { lvr: 0, fees: 0 }
  for (let path = 0; path < paths; path++) {
    let log = 0
    let pool = 1
    let held = Math.min(Math.max(1, k.rootLower), k.rootUpper)
    for (let step = 0; step < k.steps; step++) {
      log += k.drift + k.deviation * normal()
      if (Math.random() < k.jumpRate) log += k.jumpMean + k.jumpDeviation * normal()
      const root = Math.exp(log)
      pool = Math.min(Math.max(pool, root * k.rootKept), root * k.inverseRootKept)
      const now = Math.min(Math.max(pool, k.rootLower), k.rootUpper)
      const quote = now - held
      const base = (1 / now - 1 / held) * root * root
      total.lvr -= base + quote
      total.fees += k.feeFactor * Math.max(base, quote)
      held = now
    }
  }
  return total
}

function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random())
}
