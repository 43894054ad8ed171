import { parentPort, workerData } from 'node:worker_threads'
import { runReplayStudy } from '../src/study/replay-study.ts'
import { drawReplayStudy } from './random-recordings.ts'

parentPort?.postMessage(JSON.stringify(runReplayStudy(drawReplayStudy(workerData as number))))
