import { parentPort } from 'node:worker_threads'
import { estimatePaths } from '../../packages/engine/src/montecarlo/estimator/estimator.ts'
import type { EstimatorTerms } from '../../packages/engine/src/montecarlo/estimator/terms.ts'

/** Part of the paths, for one worker. */
export interface WorkerOrder {
  readonly terms: EstimatorTerms
  readonly from: number
  readonly count: number
}

parentPort?.on('message', ({ terms, from, count }: WorkerOrder) => {
  const results = estimatePaths(terms, from, count)
  parentPort?.postMessage(results)
})
