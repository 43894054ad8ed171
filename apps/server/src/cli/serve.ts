import { readConfig } from '../config.ts'
import { createServices, openDatabase } from '../context.ts'
import { serveMetrics } from '../http/metrics.ts'
import { createLog, startService, startWorkers } from '../service.ts'
import { converseWith } from './converse.ts'

/** Runs the service until it is told to stop. */
export async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment)
  const starting = startService(config, { converse: converseWith(config) })
  // It answers before the workers have started, so a signal may come in between: what is under way still ends in order.
  stopOnSignal(async () => (await starting).stop())
  const service = await starting
  process.stdout.write(
    `Liquidity OS is listening on ${service.baseUrl}\n  Reference  ${service.baseUrl}/docs\n  Status     ${service.baseUrl}/api/liquidity-studio/v2/status\n`,
  )
}

/** Runs only the workers until told to stop. */
export async function work(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment)
  const log = createLog(config)
  const database = await openDatabase(config, converseWith(config))
  const services = createServices(config, database, log)
  const workers = await startWorkers(services)
  const metrics = config.metricsPort
    ? await serveMetrics(services.metrics, config.metricsPort, config.host)
    : null
  log.info('The worker is running.')
  stopOnSignal(async () => {
    metrics?.close()
    await workers.stop()
    await services.closeThreads()
    await database.close()
  })
}

/** The first signal stops gracefully, the second at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
          process.exit(1)
        },
      )
    })
  }
}
