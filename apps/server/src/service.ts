import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { type Config, ConfigurationError, variables } from './config.ts'
import { beginDatabase, createServices } from './context.ts'
import { loadFamilies } from './families.ts'
import { serveMetrics } from './http/metrics.ts'
import { limits } from './limits.ts'
import type { Services } from './services.ts'
import type { Converse } from './store/database/connect.ts'
import type { Database } from './store/database/database.ts'
import { waitForDatabase } from './store/database/wait-for-database.ts'

export interface RunningService {
  baseUrl: string
  services: Services
  stop: () => Promise<void>
}

export interface ServiceOptions {
  database?: Database
  /** Serves CLI commands if the service opens an embedded database itself. */
  converse?: Converse
  clock?: () => number
  /** Machine clock, which may be off; for tests. */
  machineClock?: () => number
  log?: Logger
  /** Ends the waiting for a database that is away. */
  signal?: AbortSignal
}

const neverAborted = new AbortController().signal

/**
 * Starts the service: HTTP, and in the same process the workers unless they run elsewhere. It answers as
 * soon as the database does; queues start behind it. Where PostgreSQL is away it waits, alive and not ready.
 */
export async function startService(
  config: Config,
  options: ServiceOptions = {},
): Promise<RunningService> {
  const log = options.log ?? createLog(config)
  const { signal = neverAborted } = options
  // The database answers its first message while the HTTP server is still being read from the disk.
  const [{ database, ready }, { createServer }, { handlers }, { extraRoutes }] = await Promise.all([
    options.database
      ? { database: options.database, ready: Promise.resolve() }
      : beginDatabase(config, options.converse, { log, signal }),
    import('./http/server.ts'),
    import('./handlers.ts'),
    import('./extra-routes.ts'),
  ])
  const services = createServices(config, database, log, options.clock, options.machineClock)
  const server = createServer(services, { handlers, extraRoutes })
  services.phase = 'WAITING'
  try {
    await Promise.all([ready, listen(server, config)])
  } catch (error) {
    server.close()
    server.closeAllConnections()
    if (!options.database) await database.close()
    throw explained(error, config)
  }
  keepCompiled()
  services.phase = 'SERVING'
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const baseUrl = config.port === 0 ? `http://127.0.0.1:${port}` : config.baseUrl
  const workers = config.worker === 'in-process' ? await startWorkersLater(services, signal) : null
  const metrics: Server | null = config.metricsPort
    ? await serveMetrics(services.metrics, config.metricsPort, config.host)
    : null
  return {
    baseUrl,
    services,
    stop: async () => {
      // Load balancers detect the shutdown and connections close, while all requests are still
      // served.
      services.phase = 'DRAINING'
      await sleep(config.drainSeconds * 1000)
      services.phase = 'STOPPING'
      // Open requests end first, then the jobs, then the database.
      const closing = new Promise((closed) => server.close(closed))
      const timer = setTimeout(() => server.closeAllConnections(), limits.shutdownMilliseconds)
      // Without this, a connection would stay open after its last request.
      const sweep = setInterval(
        () => server.closeIdleConnections(),
        limits.idleConnectionsMilliseconds,
      )
      await closing
      clearTimeout(timer)
      clearInterval(sweep)
      metrics?.close()
      await workers?.stop()
      await services.closeThreads()
      await services.usage.close()
      await services.nodeCalls.close()
      if (!options.database) await database.close()
    },
  }
}

/**
 * Flushes the platform's compile cache, which it otherwise writes only on a clean exit. Killed
 * processes restart soonest and need it most. No write occurs if the cache supplied all code.
 */
export function keepCompiled(): void {
  flushCompileCache()
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((done, refuse) => {
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      done()
    })
  })
}

/** A listen error is for the operator to fix, so the message states the remedy. */
function explained(error: unknown, { host, port }: Config): unknown {
  const { code = '' } = error as { code?: string }
  if (code === 'EADDRINUSE') {
    const next = `PORT=${port + 1}`
    return new ConfigurationError([
      `PORT ${port} of ${host} is taken. Choose another, for example ${next}`,
    ])
  }
  if (code === 'EACCES') {
    return new ConfigurationError([
      `PORT ${port} requires more privileges. Choose a port from 1024, for example PORT=8080`,
    ])
  }
  return ['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL'].includes(code)
    ? new ConfigurationError([
        `HOST must be ${variables.HOST.expected} of this machine, got ${host} (${code}). Example: HOST=${variables.HOST.example}`,
      ])
    : error
}

export interface Workers {
  stop: () => Promise<void>
}

/** The first requests go first: the code of the workers takes a while to load. */
async function startWorkersLater(services: Services, signal: AbortSignal): Promise<Workers> {
  await new Promise((done) => setTimeout(done, limits.workersStartMilliseconds))
  return startWorkers(services, signal)
}

/**
 * Starts what works in the background: the job queue, webhook delivery, the purge and the sweeps. Waits for a database
 * that went away since it was opened.
 *
 * @param signal ends that waiting
 */
export async function startWorkers(
  services: Services,
  signal: AbortSignal = neverAborted,
): Promise<Workers> {
  const [
    { JobQueue },
    { WebhookDispatcher },
    { purging },
    { scheduling },
    { leasing, startSweeps },
    { measuring },
  ] = await Promise.all([
    import('./jobs/job-queue.ts'),
    import('./integrations/webhooks/webhook-dispatcher.ts'),
    import('./jobs/purge.ts'),
    import('./jobs/schedules.ts'),
    import('./jobs/sweeps.ts'),
    import('./jobs/usage.ts'),
  ])
  const queue = new JobQueue(services, async () => (await loadFamilies()).jobs)
  const dispatcher = new WebhookDispatcher(services)
  const { log } = services
  await waitForDatabase(
    async () => {
      await services.leaseClock.measure()
      await queue.start()
    },
    { log, signal },
    'of the job queue',
  )
  dispatcher.start()
  const { sweeps, dispatches } = await loadFamilies()
  const dispatchers = await Promise.all(dispatches.map((make) => make(services)))
  for (const one of dispatchers) one.start()
  const stopSweeps = startSweeps(services, [purging, scheduling, leasing, measuring, ...sweeps])
  return {
    stop: async () => {
      await Promise.all([
        stopSweeps(),
        ...[queue, dispatcher, ...dispatchers].map((one) => one.stop()),
      ])
    },
  }
}

export function createLog(config: Config): Logger {
  return pino({
    level: config.logLevel,
    redact: { paths: ['authorization', 'cookie', 'secret', 'token'], censor: '(hidden)' },
  })
}
