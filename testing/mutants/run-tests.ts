import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

export interface Outcome {
  readonly failed: boolean
  /** The test file that failed; null if none is known, for example after the time limit. */
  readonly by: string | null
  readonly output: string
}

interface Report {
  readonly testResults: readonly { readonly name: string; readonly status: string }[]
}

/** Ends what runs now; undefined if nothing does. */
let end: (() => void) | undefined

/** Ends the tests that run now, with their workers and services. */
export const endTests = (): void => end?.()

/** A mutant may loop forever. A run that takes so long has noticed it. */
const limitMilliseconds = 15 * 60_000

/** Runs test files of a tree until the first failure. Without types: only a test can fail. */
export async function runTests(tree: string, files: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'liquidity-mutant-report-'))
  const report = join(folder, 'report.json')
  const vitest = join(tree, 'node_modules/vitest/vitest.mjs')
  // The reporter of the CPU seconds would also fail a run for its costs.
  const reporters = ['--reporter=json', `--outputFile=${report}`, '--bail', '1']
  try {
    const { code, output } = await execute(tree, [vitest, 'run', ...files, ...reporters])
    const results = existsSync(report)
      ? (JSON.parse(readFileSync(report, 'utf8')) as Report).testResults
      : []
    const by = results.find(({ status }) => status === 'failed')?.name
    return { failed: code !== 0, by: by ? relative(tree, by) : null, output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function execute(cwd: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: '1', NODE_ENV: 'test' }
    const child = spawn(process.execPath, args, { cwd, env, detached: true })
    let output = ''
    child.stdout.on('data', (bytes) => {
      output += bytes
    })
    child.stderr.on('data', (bytes) => {
      output += bytes
    })
    // Its workers and services are of its process group.
    end = () => process.kill(-child.pid!, 'SIGKILL')
    const timer = setTimeout(end, limitMilliseconds)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(timer)
      end = undefined
      resolve({ code: code ?? 1, output })
    })
  })
}
