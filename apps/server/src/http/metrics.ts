import type { Server } from 'node:http'
import type { Registry } from 'prom-client'
import type { JobOutcome, Metrics, OrganizationBytes } from '../metrics.ts'
import { hourMilliseconds, minuteMilliseconds } from '../units.ts'

/** Counts and times by two labels, in the text format of Prometheus. */
class Histogram {
  readonly #name: string
  readonly #labels: readonly [string, string]
  readonly #bounds: readonly number[]
  readonly #entries = new Map<string, { count: number; milliseconds: number; buckets: number[] }>()

  /** @param bounds upper bounds of the buckets, in milliseconds */
  constructor(name: string, labels: readonly [string, string], bounds: readonly number[]) {
    this.#name = name
    this.#labels = labels
    this.#bounds = bounds
  }

  /**
   * Exports these labels from now on, even at zero: a counter that first appears at 1 shows no
   * increase.
   */
  begin(first: string, second: string): { count: number; milliseconds: number; buckets: number[] } {
    const key = `${first}|${second}`
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = { count: 0, milliseconds: 0, buckets: this.#bounds.map(() => 0) }
      this.#entries.set(key, entry)
    }
    return entry
  }

  observe(first: string, second: string, milliseconds: number): void {
    const entry = this.begin(first, second)
    entry.count += 1
    entry.milliseconds += milliseconds
    const bucket = this.#bounds.findIndex((bound) => milliseconds <= bound)
    if (bucket >= 0) entry.buckets[bucket] = (entry.buckets[bucket] ?? 0) + 1
  }

  print(): string[] {
    const lines: string[] = [`# TYPE ${this.#name} histogram`]
    for (const [key, { count, milliseconds, buckets }] of this.#entries) {
      const [first, second] = key.split('|')
      const labels = `${this.#labels[0]}="${first}",${this.#labels[1]}="${second}"`
      let total = 0
      for (const [index, bound] of this.#bounds.entries()) {
        total += buckets[index] ?? 0
        lines.push(`${this.#name}_bucket{${labels},le="${bound / 1000}"} ${total}`)
      }
      lines.push(`${this.#name}_bucket{${labels},le="+Inf"} ${count}`)
      lines.push(`${this.#name}_sum{${labels}} ${milliseconds / 1000}`)
      lines.push(`${this.#name}_count{${labels}} ${count}`)
    }
    return lines
  }
}

/** Prints the metrics of a process in the Prometheus text format. */
export class PrometheusMetrics implements Metrics {
  readonly #requests = new Histogram(
    'liquidity_http_request_seconds',
    ['operation', 'status'],
    [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000],
  )
  readonly #jobs = new Histogram(
    'liquidity_job_seconds',
    ['kind', 'outcome'],
    [
      ...[100, 1000, 5000, 30_000],
      ...[2 * minuteMilliseconds, 10 * minuteMilliseconds, hourMilliseconds],
    ],
  )
  readonly #messages = new Histogram(
    'liquidity_alert_message_seconds',
    ['channel', 'outcome'],
    [50, 100, 250, 500, 1000, 2500, 5000, 10_000],
  )
  readonly #witnesses = new Histogram(
    'liquidity_log_witness_seconds',
    ['witness', 'outcome'],
    [50, 100, 250, 500, 1000, 2500, 5000, 10_000],
  )
  #sharedRenderings = 0
  readonly #lags = new Map<string, number>()
  #usage: readonly OrganizationBytes[] = []
  #process: Promise<Registry> | null = null

  observe(operationId: string, status: number, milliseconds: number): void {
    this.#requests.observe(operationId, String(status), milliseconds)
  }

  observeJob(kind: string, outcome: JobOutcome, milliseconds: number): void {
    this.#jobs.observe(kind, outcome, milliseconds)
  }

  observeMessage(channel: string, outcome: string, milliseconds: number): void {
    this.#messages.observe(channel, outcome, milliseconds)
  }

  beginWitness(name: string, outcomes: readonly string[]): void {
    for (const outcome of outcomes) this.#witnesses.begin(name, outcome)
  }

  observeWitness(name: string, outcome: string, milliseconds: number): void {
    this.#witnesses.observe(name, outcome, milliseconds)
  }

  observeLag(task: string, lagSeconds: number): void {
    this.#lags.set(task, lagSeconds)
  }

  observeUsage(fullest: readonly OrganizationBytes[]): void {
    this.#usage = fullest
  }

  countSharedRendering(): void {
    this.#sharedRenderings += 1
  }

  async print(): Promise<string> {
    this.#process ??= collectProcess()
    const lines = [
      ...this.#requests.print(),
      ...this.#jobs.print(),
      ...this.#messages.print(),
      ...this.#witnesses.print(),
      '# TYPE liquidity_shared_renderings_total counter',
      `liquidity_shared_renderings_total ${this.#sharedRenderings}`,
      ...this.#printLags(),
      ...this.#printUsage(),
    ]
    return `${lines.join('\n')}\n${await (await this.#process).metrics()}`
  }

  #printUsage(): string[] {
    if (this.#usage.length === 0) return []
    const gauge = (name: string, value: (of: OrganizationBytes) => number) => [
      `# TYPE ${name} gauge`,
      ...this.#usage.map((of) => `${name}{organization="${of.organizationId}"} ${value(of)}`),
    ]
    return [
      ...gauge('liquidity_organization_kept_bytes', ({ usedBytes }) => usedBytes),
      ...gauge('liquidity_organization_most_bytes', ({ maxBytes }) => maxBytes),
    ]
  }

  /** Schedule lag of the tasks that this process runs. */
  #printLags(): string[] {
    if (this.#lags.size === 0) return []
    const name = 'liquidity_schedule_lag_seconds'
    return [
      `# TYPE ${name} gauge`,
      ...[...this.#lags].map(([task, seconds]) => `${name}{task="${task}"} ${seconds}`),
    ]
  }
}

/**
 * Default process metrics. Loaded at the first scrape, so requests never pay for the library.
 * Cached afterwards, because the event loop delay accumulates between scrapes.
 */
async function collectProcess(): Promise<Registry> {
  const { default: client } = await import('prom-client')
  const registry = new client.Registry()
  client.collectDefaultMetrics({ register: registry })
  return registry
}

/** Serves the metrics on their own port, away from users. */
export async function serveMetrics(metrics: Metrics, port: number, host: string): Promise<Server> {
  // A static import by name would also load the client behind `fetch` at startup.
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
