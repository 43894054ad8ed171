import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { estimatorConstants } from '../../packages/engine/src/montecarlo/estimator/constants.ts'
import { estimatePaths } from '../../packages/engine/src/montecarlo/estimator/estimator.ts'
import type { EstimatorTerms } from '../../packages/engine/src/montecarlo/estimator/terms.ts'
import type { Benchmark, Comparison, Figures } from '../benchmark.ts'
import { runPlainly } from './monte-carlo-plain.ts'
import type { WorkerOrder } from './monte-carlo-worker.ts'

const terms: EstimatorTerms = {
  seed: new Uint8Array(32).fill(1),
  steps: 720,
  stepSeconds: 3600,
  annualDrift: 0,
  annualVolatility: 0.8,
  jumpsPerYear: 40,
  jumpMean: -0.02,
  jumpDeviation: 0.08,
  feePips: 3000,
  lowerRatio: 0.8,
  upperRatio: 1.25,
}
const paths = 4000
/** Long enough that messages to workers do not matter. */
const sharedPaths = 32_000
const constants = estimatorConstants(terms)

const succeeds = (command: string, options: readonly string[]): boolean => {
  try {
    execFileSync(command, options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const hasNumpy = succeeds('python3', ['-c', 'import numpy'])
const hasCompiler = process.arch === 'x64' && succeeds('g++', ['--version'])

const absent = [
  ...(hasNumpy ? [] : ['NumPy is not installed here']),
  ...(hasCompiler ? [] : ['no g++ for x86-64 here']),
]
const comparisons: Comparison[] = [
  { name: 'estimate / plain JavaScript', of: 'estimate', to: 'plain', mark: { atLeast: 4 } },
  ...(hasNumpy
    ? [{ name: 'estimate / NumPy', of: 'estimate', to: 'numpy', mark: { atLeast: 1.5 } }]
    : []),
  ...(hasCompiler
    ? [{ name: 'estimate / C++ SSE2', of: 'estimate', to: 'native', mark: { atLeast: 0.75 } }]
    : []),
  { name: 'two workers / one', of: 'twoWorkers', to: 'oneWorker', mark: { atLeast: 1.8 } },
]

/**
 * Diffusion with jumps, one concentrated position: price, fees and loss of 4,000 paths of 720
 * hours, in millions of path-steps per second. The engine, the plain source and C++ return equal
 * bytes.
 */
export const monteCarlo: Benchmark = {
  name: 'monte-carlo',
  title: [
    'Monte Carlo of one position, 4,000 paths of 720 steps, same bytes on every side',
    ...absent,
  ].join('; '),
  units: Object.fromEntries(
    ['estimate', 'plain', 'numpy', 'native', 'oneWorker', 'twoWorkers', 'nativeTwo'].map((name) => [
      name,
      'M path-steps/s',
    ]),
  ),
  comparisons,
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'monte-carlo-'))
    const native = hasCompiler ? openNative(folder) : null
    const numpy = hasNumpy ? new Peer('python3', [file('native/monte-carlo.py')]) : null
    const workers = [openWorker(), openWorker()]
    const expected = hashOf(estimatePaths(terms, 0, paths))
    await assertSameBytes(native, workers, expected)
    const round = async (): Promise<Figures> => ({
      plain: rate(paths, () => void runPlainly(constants, paths)),
      ...(numpy === null ? {} : { numpy: speed(paths, (await numpy.ask(numpyOrder(paths)))[0]) }),
      ...(native === null
        ? {}
        : { native: speed(paths, (await native.ask(nativeOrder(paths, 1)))[0]) }),
      estimate: rate(paths, () => void estimatePaths(terms, 0, paths)),
      oneWorker: await shared(workers.slice(0, 1)),
      twoWorkers: await shared(workers),
      ...(native === null
        ? {}
        : { nativeTwo: speed(sharedPaths, (await native.ask(nativeOrder(sharedPaths, 2)))[0]) }),
    })
    for (let warm = 0; warm < 2; warm++) await round()
    const close = async () => {
      native?.close()
      numpy?.close()
      await Promise.all(workers.map((worker) => worker.terminate()))
      rmSync(folder, { recursive: true })
    }
    return { round, close }
  },
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const openWorker = () => new Worker(new URL('monte-carlo-worker.ts', import.meta.url))
const speed = (count: number, seconds: number | undefined) =>
  (count * terms.steps) / (seconds ?? Number.NaN) / 1e6

function rate(count: number, work: () => void): number {
  const start = performance.now()
  work()
  return speed(count, (performance.now() - start) / 1000)
}

function openNative(folder: string): Peer {
  const program = join(folder, 'monte-carlo')
  const source = file('native/monte-carlo.cpp')
  execFileSync('g++', ['-O3', '-ffp-contract=off', '-pthread', '-o', program, source])
  return new Peer(program, [])
}

function nativeOrder(count: number, threads: number): string {
  const k = constants
  const path = [k.steps, k.drift, k.deviation, k.jumpRate, k.jumpMean, k.jumpDeviation]
  const position = [k.rootKept, k.inverseRootKept, k.feeFactor, k.rootLower, k.rootUpper]
  return [...k.base, ...path, ...position, 0, count, threads].join(' ')
}

function numpyOrder(count: number): string {
  const k = constants
  const path = [k.steps, k.drift, k.deviation, k.jumpRate, k.jumpMean, k.jumpDeviation]
  const position = [k.rootKept, k.inverseRootKept, k.feeFactor, k.rootLower, k.rootUpper]
  return [7, ...path, ...position, count].join(' ')
}

/** One, two and eight parts, workers and C++: all must have the same bytes. */
async function assertSameBytes(
  native: Peer | null,
  workers: readonly Worker[],
  expected: number,
): Promise<void> {
  for (const parts of [2, 8]) {
    const size = paths / parts
    const orders = Array.from({ length: parts }, (_, i) => ({ terms, from: i * size, count: size }))
    const results: Float64Array[] = []
    for (const [i, order] of orders.entries()) {
      const worker = workers[i % workers.length]
      if (worker !== undefined) results.push(await ask(worker, order))
    }
    const joined = Float64Array.from(results.flatMap((part) => [...part]))
    if (hashOf(joined) !== expected) throw new Error(`${parts} parts give other bytes than one`)
  }
  for (const threads of native === null ? [] : [1, 2]) {
    const answer = await native?.ask(nativeOrder(paths, threads))
    if (answer?.[1] !== expected) throw new Error('C++ gives other bytes')
  }
}

/** All paths divided among the workers, from the first message to the last response. */
async function shared(workers: readonly Worker[]): Promise<number> {
  const count = sharedPaths / workers.length
  const start = performance.now()
  await Promise.all(workers.map((worker, i) => ask(worker, { terms, from: i * count, count })))
  return speed(sharedPaths, (performance.now() - start) / 1000)
}

function ask(worker: Worker, order: WorkerOrder): Promise<Float64Array> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (results: Float64Array) => {
      worker.off('error', reject)
      resolve(results)
    })
    worker.postMessage(order)
  })
}

/** FNV-1a over the result bytes, as in the C++ source. */
function hashOf(results: Float64Array): number {
  let hash = 2166136261
  for (const byte of new Uint8Array(results.buffer)) hash = Math.imul(hash ^ byte, 16777619)
  return hash >>> 0
}

/** A program that returns a line of numbers for a line of numbers. */
class Peer {
  readonly #process: ChildProcess
  readonly #lines: Interface

  constructor(command: string, options: readonly string[]) {
    this.#process = spawn(command, options, { stdio: ['pipe', 'pipe', 'inherit'] })
    if (this.#process.stdout === null) throw new Error(`${command} has no output`)
    this.#lines = createInterface({ input: this.#process.stdout })
  }

  ask(order: string): Promise<number[]> {
    return new Promise((resolve, reject) => {
      this.#process.once('error', reject)
      this.#lines.once('line', (line) => {
        this.#process.off('error', reject)
        resolve(line.split(' ').map(Number))
      })
      this.#process.stdin?.write(`${order}\n`)
    })
  }

  close(): void {
    this.#process.stdin?.end()
    this.#lines.close()
  }
}
