import { setTimeout as sleep } from 'node:timers/promises'
import { type ProductServer, productHeaders, productUrl } from '../http/mutations.ts'

/** Milliseconds within which 99 of 100 responses arrived. */
export interface Watched {
  readonly live: number
  readonly read: number
}

/** Requests the health and the reads of another organization in turn, and reports the durations. */
const [server, seconds] = [
  JSON.parse(process.argv[2] ?? '') as ProductServer,
  Number(process.argv[3]),
]
/** Keeps a member within the request limit per minute. */
const pauseMilliseconds = 55
const headers = productHeaders({ ...server, ...server.neighbour })

async function took(url: string): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url, { headers })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}.`)
  return performance.now() - start
}

const percentile = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(0.99 * times.length) - 1] ?? Number.NaN

const times = { live: [] as number[], read: [] as number[] }
const until = performance.now() + seconds * 1000
while (performance.now() < until) {
  times.live.push(await took(`http://127.0.0.1:${server.port}/health/live`))
  times.read.push(await took(productUrl(server, '/venues')))
  await sleep(pauseMilliseconds)
}
const watched: Watched = { live: percentile(times.live), read: percentile(times.read) }
process.stdout.write(`${JSON.stringify(watched)}\n`)
