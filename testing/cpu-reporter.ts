import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { isLong } from './tiers.ts'

const shown = 20
/** CPU seconds that a file of the short tier may use. */
const budgetSeconds = 10
/** A busy machine makes the same work cost more CPU time, so a file fails at one and a half times its budget. */
const limitSeconds = budgetSeconds * 1.5

/** The figures of all files of the last large run. */
const tableFile = join(tmpdir(), 'liquidity-test-cpu.json')

/** Prints the CPU seconds of the slowest files and fails the run if a short file exceeds its budget by half. */
export class CpuReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      path: relative(module.project.vitest.config.root, module.moduleId),
      isShort: !isLong(module.moduleId),
      seconds: module.meta().cpuSeconds ?? 0,
      residentMiB: module.meta().residentMiB ?? 0,
    }))
    files.sort((a, b) => b.seconds - a.seconds)
    if (files.length > shown) writeFileSync(tableFile, JSON.stringify(files, null, 1))
    const over = files.filter(({ isShort, seconds }) => isShort && seconds > limitSeconds)
    // A single file has nothing to be compared with.
    if (files.length > 1) {
      const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
      const largest = Math.max(...files.map(({ residentMiB }) => residentMiB))
      console.log(
        `\n ${files.length} files used ${total.toFixed(0)} CPU seconds; the largest worker held ${largest} MiB. The slowest:`,
      )
      for (const { path, seconds } of files.slice(0, shown)) {
        console.log(`${seconds.toFixed(1).padStart(8)} s  ${path}`)
      }
    }
    for (const { path, seconds } of over) {
      console.error(
        `\n ${path} used ${seconds.toFixed(1)} CPU seconds. A short file may use ${budgetSeconds}. Make it cheaper, split it, or tag it \`// @module-tag long\`.`,
      )
    }
    if (over.length > 0) process.exitCode = 1
  }
}
