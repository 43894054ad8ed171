import { readdirSync, readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

/**
 * Setup file: measures the CPU time of each test file and attaches it to the file as `meta.cpuSeconds`.
 *
 * The figure is user plus system time of the worker and of all its descendants, ended ones included. It
 * contains the import of the test file, because a setup file runs before it.
 */

declare module 'vitest' {
  interface TaskMeta {
    cpuSeconds?: number
    /** Whether the file was the first of its worker, so that it paid for what later files find ready. */
    isFirstOfWorker?: boolean
    /** Resident memory of the worker process when the file ended, in MiB. */
    residentMiB?: number
  }
}

/** Linux reports process times in hundredths of a second (`USER_HZ`). */
const ticksPerSecond = 100

const atStart = readCpuSeconds()
const worker = globalThis as { hasRunTestFile?: boolean }
const isFirstOfWorker = worker.hasRunTestFile !== true
worker.hasRunTestFile = true

// Registered first, so it runs after the hooks of the test file.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
afterAll(({}, suite) => {
  suite.file.meta.cpuSeconds = Math.max(0, readCpuSeconds() - atStart)
  suite.file.meta.isFirstOfWorker = isFirstOfWorker
  suite.file.meta.residentMiB = Math.round(process.memoryUsage.rss() / 2 ** 20)
})

/** CPU seconds that this process and its descendants have used; only this process outside Linux. */
function readCpuSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  const children = new Map<number, number[]>()
  const ticks = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const id = Number(name)
    if (!Number.isInteger(id)) continue
    const fields = readStat(id)
    if (!fields) continue
    // Fields after the command name: state, parent, …, utime, stime, cutime, cstime (proc(5), 3, 4, 14 to 17).
    const parent = Number(fields[1])
    const ofParent = children.get(parent)
    if (ofParent) ofParent.push(id)
    else children.set(parent, [id])
    ticks.set(
      id,
      fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    )
  }
  let total = 0
  const open = [process.pid]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    total += ticks.get(id) ?? 0
    open.push(...(children.get(id) ?? []))
  }
  return total / ticksPerSecond
}

/** The fields of `/proc/PID/stat` after the command name; null if the process has ended. */
function readStat(id: number): string[] | null {
  try {
    const line = readFileSync(`/proc/${id}/stat`, 'latin1')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
