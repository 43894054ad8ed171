import type { Server } from 'node:http'

/** Counts and times of requests, printed in the text format of Prometheus on a port of their own. */
export class Metrics {
  readonly #requests = new Map<string, { count: number; milliseconds: number; buckets: number[] }>()

  /** @param milliseconds from the arrival of the request to its answer */
  observe(operationId: string, status: number, milliseconds: number): void {
    const key = `${operationId}|${status}`
    let entry = this.#requests.get(key)
    if (!entry) {
      entry = { count: 0, milliseconds: 0, buckets: bounds.map(() => 0) }
      this.#requests.set(key, entry)
    }
    entry.count += 1
    entry.milliseconds += milliseconds
    const bucket = bounds.findIndex((bound) => milliseconds <= bound)
    if (bucket >= 0) entry.buckets[bucket] = (entry.buckets[bucket] ?? 0) + 1
  }

  /** Everything observed, and the defaults of the process. */
  async print(): Promise<string> {
    // Loaded at the first scrape: collecting is ours, so a request pays nothing for the library.
    const { default: client } = await import('prom-client')
    const registry = new client.Registry()
    client.collectDefaultMetrics({ register: registry })
    const lines: string[] = ['# TYPE liquidity_http_request_seconds histogram']
    for (const [key, { count, milliseconds, buckets }] of this.#requests) {
      const [operation, status] = key.split('|')
      const labels = `operation="${operation}",status="${status}"`
      let total = 0
      for (const [index, bound] of bounds.entries()) {
        total += buckets[index] ?? 0
        lines.push(`liquidity_http_request_seconds_bucket{${labels},le="${bound / 1000}"} ${total}`)
      }
      lines.push(`liquidity_http_request_seconds_bucket{${labels},le="+Inf"} ${count}`)
      lines.push(`liquidity_http_request_seconds_sum{${labels}} ${milliseconds / 1000}`)
      lines.push(`liquidity_http_request_seconds_count{${labels}} ${count}`)
    }
    return `${lines.join('\n')}\n${await registry.metrics()}`
  }
}

/** Upper bounds of the histogram, in milliseconds. */
const bounds = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000]

/** Serves the metrics on their own port, away from users. */
export async function serveMetrics(metrics: Metrics, port: number, host: string): Promise<Server> {
  // Imported by name at start, this module would also load the client that stands behind `fetch`.
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    metrics.print().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return new Promise((done, refuse) => {
    server.once('error', refuse)
    server.listen(port, host, () => done(server))
  })
}
