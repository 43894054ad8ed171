import { type Config, formerNameWarnings, readConfig } from '../config.ts'
import { beginDatabase, createServices } from '../context.ts'
import { listenForFaults } from '../fault-points.ts'
import { serveMetrics } from '../http/metrics.ts'
import { createLog, keepCompiled, startService, startWorkers } from '../service.ts'
import { converseWith } from './converse.ts'

/** Serves until the process receives a stop signal. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  listenForFaults(environment)
  const config = readOnce(environment)
  await runUntilStopped(async (signal) => {
    const service = await startService(config, { converse: converseWith(config), signal })
    process.stdout.write(
      `Liquidity OS is listening on ${service.baseUrl}\n  Guide      ${service.baseUrl}/docs/\n  Reference  ${service.baseUrl}/docs/api/\n  Status     ${service.baseUrl}/api/liquidity-studio/v2/status\n`,
    )
    return service.stop
  })
}

/** Reads the configuration and logs its warnings. */
function readOnce(environment: NodeJS.ProcessEnv): Config {
  const config = readConfig(environment)
  const log = createLog(config)
  for (const warning of formerNameWarnings(environment)) log.warn(warning)
  return config
}

/** Runs only the workers until a stop signal. */
export async function work(environment: NodeJS.ProcessEnv): Promise<void> {
  listenForFaults(environment)
  const config = readOnce(environment)
  const log = createLog(config)
  await runUntilStopped(async (signal) => {
    const { database, ready } = await beginDatabase(config, converseWith(config), { log, signal })
    await ready
    const services = createServices(config, database, log)
    const workers = await startWorkers(services, signal)
    const metrics = config.metricsPort
      ? await serveMetrics(services.metrics, config.metricsPort, config.host)
      : null
    keepCompiled()
    log.info('The worker is running.')
    return async () => {
      metrics?.close()
      await workers.stop()
      await services.closeThreads()
      await services.usage.close()
      await services.nodeCalls.close()
      await database.close()
    }
  })
}

/**
 * Starts, and shuts down gracefully on the first signal, even during startup or while waiting for a
 * database. The second signal exits at once.
 *
 * @param start resolves with the stop function; its signal aborts waiting
 */
async function runUntilStopped(
  start: (signal: AbortSignal) => Promise<() => Promise<void>>,
): Promise<void> {
  const waiting = new AbortController()
  const starting = start(waiting.signal)
  const stop = async () => {
    waiting.abort()
    const running = await starting.catch(() => null)
    await running?.()
  }
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
          process.exit(1)
        },
      )
    })
  }
  await starting.catch((error: unknown) => {
    if (!isStopping) throw error
  })
}
