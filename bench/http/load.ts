import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface LoadResult {
  requestsPerSecond: number
  p50Milliseconds: number
  p99Milliseconds: number
  failures: number
}

export interface Load {
  url: string
  connections: number
  seconds: number
  headers: Readonly<Record<string, string>>
  /** Bodies of POSTs: `@NUMBER@` becomes a fresh 40-digit hex number in each request. */
  body?: string
}

const folder = mkdtempSync(join(tmpdir(), 'liquidity-bench-'))
let scripts = 0

/** Runs wrk: one thread, keep-alive connections, a closed loop. Answers outside 2xx are failures. */
export async function runLoad(load: Load): Promise<LoadResult> {
  scripts += 1
  const script = join(folder, `load-${scripts}.lua`)
  writeFileSync(script, luaOf(load))
  const { stdout } = await promisify(execFile)(
    'wrk',
    ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout=10s', '-s', script, load.url],
    { timeout: (load.seconds + 30) * 1000 },
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error('This benchmark drives the servers with wrk. On Debian: apt-get install wrk')
  })
  const line = /^RESULT (.*)$/m.exec(stdout)?.[1]
  if (!line) throw new Error(`wrk printed no result:\n${stdout}`)
  const [requests, microseconds, p50, p99, failures] = line.split(' ').map(Number) as number[]
  return {
    requestsPerSecond: (requests ?? 0) / ((microseconds ?? 1) / 1e6),
    p50Milliseconds: (p50 ?? 0) / 1000,
    p99Milliseconds: (p99 ?? 0) / 1000,
    failures: failures ?? 0,
  }
}

const quote = (text: string) => `[==[${text}]==]`

/** Every request has its own number, in the venue address and in its Idempotency-Key. */
function luaOf({ headers, body }: Load): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[ ${quote(name)} ] = ${quote(value)}`,
  )
  const [before, after] = (body ?? '').split('@NUMBER@')
  const request =
    body === undefined
      ? ''
      : `wrk.method = "POST"
local run = string.format("%012x", ${Math.floor(Math.random() * 2 ** 40)})
local number = 0
request = function()
  number = number + 1
  local digits = run .. string.format("%028x", number)
  wrk.headers["idempotency-key"] = "bench-" .. digits
  return wrk.format(nil, nil, nil, ${quote(before ?? '')} .. digits .. ${quote(after ?? '')})
end`
  return `${lines.join('\n')}
${request}
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
`
}
