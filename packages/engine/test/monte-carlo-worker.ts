import { parentPort, workerData } from 'node:worker_threads'
import { runPaths } from '../src/montecarlo/monte-carlo-study.ts'
import { smallStudy } from './monte-carlo-study.ts'

const { from, to } = workerData as { from: number; to: number }
parentPort?.postMessage(runPaths(smallStudy(), from, to))
