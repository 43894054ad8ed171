import { instantiateWasm } from '../wasm-module.ts'
import { estimatorConstants } from './constants.ts'
import { ESTIMATOR_MODULE } from './generated/estimator-module.ts'
import type { EstimatorTerms, PathEstimate } from './terms.ts'

/** What `packages/engine/assembly/montecarlo/index.ts` exports. */
interface EstimatorExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  setSeed(a: number, b: number, c: number, d: number): void
  setPath(steps: number, drift: number, scale: number, rate: number, m: number, s: number): void
  setPosition(kept: number, inverse: number, fee: number, lower: number, upper: number): void
  run(from: number, count: number): number
}

/** Most paths of one call: four megabytes of results. */
const LARGEST_CALL = 131_072

let instance: EstimatorExports | null = null

/**
 * Estimates paths `from` to `from + count` with two paths per vector. Each path depends on its number alone,
 * so any division among workers gives the same bytes, which are those of `estimatePathsPlainly`.
 *
 * @param count 1..131,072
 * @returns four numbers per path: end price, loss versus rebalancing, fees, steps in range
 * @throws RangeError for terms outside their range
 */
export function estimatePaths(terms: EstimatorTerms, from: number, count: number): Float64Array {
  if (!Number.isInteger(count) || count < 1 || count > LARGEST_CALL) {
    throw new RangeError(`${count} paths; expected 1..${LARGEST_CALL}`)
  }
  const k = estimatorConstants(terms)
  const module = load()
  module.setSeed(...k.base)
  module.setPath(k.steps, k.drift, k.deviation, k.jumpRate, k.jumpMean, k.jumpDeviation)
  module.setPosition(k.rootKept, k.inverseRootKept, k.feeFactor, k.rootLower, k.rootUpper)
  const at = module.run(from, Math.ceil(count / 4) * 4)
  return new Float64Array(module.memory.buffer, at, 4 * count).slice()
}

/** One path out of the numbers of `estimatePaths`. */
export function pathEstimate(results: Float64Array, path: number): PathEstimate {
  // Four numbers were written per path.
  const at = (offset: number) => results[4 * path + offset]!
  return { price: at(0), lvr: at(1), fees: at(2), stepsInRange: at(3) }
}

function load(): EstimatorExports {
  // The generated module is built from the sources whose exports the interface lists.
  instance ??= instantiateWasm(ESTIMATOR_MODULE) as EstimatorExports
  return instance
}
