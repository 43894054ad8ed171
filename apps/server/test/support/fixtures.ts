import { test as base } from 'vitest'
import {
  type Behaviour,
  startProviderProxy,
} from '../../src/integrations/chain/testing/provider-proxy.ts'
import { startWorkers } from '../../src/service.ts'
import { hostOf, startTestChain, type TestChain } from './chain.ts'
import { startPriceSource } from './price-source.ts'
import { newOrganization, startTestService } from './service.ts'

/**
 * Fixtures of a test against a running service:
 *
 *     import { test } from './support/fixtures.ts'
 *
 *     test('returns the venue', async ({ service, owner }) => …)
 *
 * A fixture starts with the first test or hook that names it. All stop when the file ends, in
 * reverse order. Tests that need a separate organization create one with
 * `newOrganization(service)`.
 *
 * Fixtures are per file, because files set the clock of their service and settings differ. The
 * previous file's database is emptied and reused, so a service costs 0.1 s.
 *
 * A file with its own settings or scene extends `test`, at its top:
 *
 *     const test = chainTest
 *       .extend('settings', { scope: 'file' }, { SCORE_REFRESH_SECONDS: '21600' })
 *       .extend('venue', { scope: 'file' }, ({ owner, testChain }) => validatedPool(owner, testChain))
 *
 * `auto: true` starts a fixture before the first test of the file, because some tests rely on it
 * without naming it.
 *
 * Do not use `test.override`: files share this module, so it would change the fixtures of all later
 * files of the worker. A fixture that reads the one it replaces also fails: Vitest returns the
 * replaced fixture.
 */
export const test = base
  /** Environment variables of the service, in addition to those of `startTestService`. */
  .extend('settings', { scope: 'file' }, (): Record<string, string> => ({}))
  /** True if the service runs jobs from its start. */
  .extend('runsJobs', { scope: 'file' }, (): boolean => false)
  .extend('service', { scope: 'file' }, async ({ settings, runsJobs }, { onCleanup }) => {
    const service = await startTestService(settings)
    const workers = runsJobs ? await startWorkers(service.services) : null
    onCleanup(async () => {
      await workers?.stop()
      await service.stop()
    })
    return service
  })
  /** The owner of the organization that the tests of the file share. */
  .extend('owner', { scope: 'file' }, ({ service }) => newOrganization(service))
  /** The owner of another organization. */
  .extend('stranger', { scope: 'file' }, ({ service }) => newOrganization(service))
  .extend('testChain', { scope: 'file' }, started(startTestChain))
  .extend('priceSource', { scope: 'file' }, started(startPriceSource))

export { test as it }

/** The same, and the service may read `testChain`. */
export const chainTest = test.extend('settings', { scope: 'file' }, ({ testChain }) => ({
  OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl),
}))

/** The same, and the service also pulls prices from `priceSource`. */
export const priceTest = test.extend(
  'settings',
  { scope: 'file' },
  ({ testChain, priceSource }) => ({
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, priceSource.url),
    FEED_PULL_SECONDS: '300',
  }),
)

type Stop = () => Promise<unknown>

interface Ending {
  onCleanup: (stop: () => Promise<void>) => void
}

/** A fixture that needs no other one: the result of `start`, stopped when the file ends. */
export function started<Running extends { stop: Stop } | { chain: { stop: Stop } }>(
  start: () => Promise<Running>,
) {
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the other fixtures from this pattern.
  return async ({}: object, { onCleanup }: Ending) => {
    const running = await start()
    onCleanup(async () => {
      await ('stop' in running ? running.stop() : running.chain.stop())
    })
    return running
  }
}

/** A node that passes the calls of the service on to `testChain`, as `behave` decides for each call. */
export const proxied =
  (behave: Behaviour) =>
  async ({ testChain }: { testChain: TestChain }, { onCleanup }: Ending) => {
    const proxy = await startProviderProxy(testChain.chain.rpcUrl, behave)
    onCleanup(() => proxy.stop())
    return proxy
  }
