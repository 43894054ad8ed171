import { createHash } from 'node:crypto'
import { appendFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { measureSlowness } from './machine-speed.ts'
import { isLong } from './tiers.ts'

const shown = 20
/** CPU seconds that a file of the short tier may use on the reference machine of `machine-speed.ts`. */
const budgetSeconds = 10
/**
 * What the first file of a worker pays for the others: imports, the compilation of the embedded database (4.5 of
 * the 14.6 CPU seconds of a file that ran alone were threads of the compiler).
 */
export const startUpSeconds = 5
const filesBetweenMeasurements = 60
/** Other work on the machine can double what a file costs, and must not fail a run. */
const tolerance = 2.5

/** One line of JSON for each file of the last run in this folder, written as files end. */
export const tableFile = join(
  tmpdir(),
  `liquidity-test-cpu-${createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 8)}.jsonl`,
)

export interface FileCost {
  readonly path: string
  readonly isShort: boolean
  readonly seconds: number
  readonly isFirstOfWorker: boolean
  readonly residentMiB: number
  /** How many times slower than the reference machine this one was when the file ended. */
  readonly slowness: number
}

/** Prints the CPU seconds of the slowest files and fails the run if a short file uses two and a half times its budget. */
export class CpuReporter implements Reporter {
  readonly #files: FileCost[] = []
  /** How slow the machine was at the start and during the run, which shares its processors with the workers. */
  readonly #slowness: number[] = []

  onInit(): void {
    writeFileSync(tableFile, '')
    this.#slowness.push(measureSlowness())
  }

  onTestModuleEnd(module: TestModule): void {
    const { cpuSeconds = 0, isFirstOfWorker = false, residentMiB = 0 } = module.meta()
    if ((this.#files.length + 1) % filesBetweenMeasurements === 0) {
      this.#slowness.push(measureSlowness())
    }
    const cost: FileCost = {
      path: relative(module.project.vitest.config.root, module.moduleId),
      isShort: !isLong(module.moduleId),
      seconds: cpuSeconds,
      isFirstOfWorker,
      residentMiB,
      slowness: this.#medianSlowness(),
    }
    this.#files.push(cost)
    appendFileSync(tableFile, `${JSON.stringify(cost)}\n`)
  }

  onTestRunEnd(): void {
    const files = this.#files.sort((a, b) => b.seconds - a.seconds)
    // A single file has nothing to be compared with.
    if (files.length > 1) {
      const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
      const largest = Math.max(...files.map(({ residentMiB }) => residentMiB))
      console.log(
        `\n ${files.length} files used ${total.toFixed(0)} CPU seconds; the largest worker held ${largest} MiB. This machine is ${this.#medianSlowness().toFixed(1)} times slower than the reference machine. The slowest:`,
      )
      for (const { path, seconds } of files.slice(0, shown)) {
        console.log(`${seconds.toFixed(1).padStart(8)} s  ${path}`)
      }
    }
    const over = files.filter(
      (file) => file.isShort && file.seconds > this.#budgetOf(file) * tolerance,
    )
    for (const file of over) {
      console.error(
        `\n ${file.path} used ${file.seconds.toFixed(1)} CPU seconds. It may use ${this.#budgetOf(file).toFixed(0)} on this machine. Make it cheaper, split it, or tag it \`// @module-tag long\`.`,
      )
    }
    if (over.length > 0) process.exitCode = 1
  }

  /** CPU seconds that a short file may use on this machine. */
  #budgetOf({ isFirstOfWorker }: FileCost): number {
    return (budgetSeconds + (isFirstOfWorker ? startUpSeconds : 0)) * this.#medianSlowness()
  }

  #medianSlowness(): number {
    const ordered = this.#slowness.toSorted((a, b) => a - b)
    return ordered[Math.floor(ordered.length / 2)] ?? 1
  }
}
