// @module-tag long
// @module-tag postgres
// @covers apps/server/src/jobs apps/server/src/families/intelligence/venues

import { createClient } from '@liquidity-os/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Behaviour,
  honest,
  type ProviderProxy,
  startProviderProxy,
} from '../src/integrations/chain/testing/provider-proxy.ts'
import { hostOf, startTestChain, type TestChain, validatedPool } from './support/chain.ts'
import {
  LiquidityProcess,
  migratedDeployment,
  run,
  serve,
  signInAtTerminal,
  untilServing,
} from './support/processes.ts'
import { letSilencePass } from './support/silence.ts'
import { until } from './support/until.ts'

let test: TestChain
let proxy: ProviderProxy
let behave: Behaviour = honest
beforeAll(async () => {
  test = await startTestChain()
  proxy = await startProviderProxy(test.chain.rpcUrl, (call, forward) => behave(call, forward))
})
afterAll(async () => {
  await proxy.stop()
  await test.chain.stop()
})

const hanging: Behaviour = async ({ method }, forward) =>
  method === 'eth_getLogs' ? 'HANG' : forward()
const countRequests = () => proxy.calls.filter(({ method }) => method === 'eth_getLogs').length

describe('a job with a killed worker', () => {
  // On PostgreSQL another worker takes over; the embedded database has one process, which comes back.
  const onPostgres = Boolean(process.env.DATABASE_URL)

  it('is finished by another, once', async () => {
    const deployment = await migratedDeployment({
      WORKER: onPostgres ? 'none' : 'in-process',
      OUTBOUND_ALLOW: hostOf(proxy.url),
    })
    const service = await serve(deployment)
    const workers = onPostgres
      ? [1, 2].map(() => new LiquidityProcess(['worker'], deployment.environment))
      : [service]
    if (onPostgres) workers[0]!.start()
    try {
      const client = createClient(await signInAtTerminal(deployment))
      const venue = await validatedPool({ client }, test, proxy.url)
      behave = hanging
      const before = countRequests()
      await client.queueVenueIndex({
        params: { id: venue.id },
        body: { payload: { mode: 'FULL' }, reason: 'To be interrupted' },
      })
      await until('the worker to read the chain', async () => {
        const { body } = await client.listOperatingSystemJobs()
        return countRequests() > before && body.data.some(({ status }) => status === 'RUNNING')
      })
      await workers[0]!.end('SIGKILL')
      behave = honest
      workers.at(-1)!.start()
      await untilServing(service)
      if (onPostgres) await letSilencePass(deployment.environment.DATABASE_URL!)
      const job = await until('another worker to finish the job', async () => {
        const { body } = await client.listOperatingSystemJobs()
        return body.data.find(({ status }) => status === 'COMPLETED')
      })
      expect(job.attempts).toBe(2)
      const { body } = await client.listVenueObservations()
      expect(body.data.map(({ payload }) => payload.continuity.proved)).toEqual([true])
      const verified = await run(['verify-history', '--json'], deployment.environment)
      expect(JSON.parse(verified.stdout)).toMatchObject({ faults: [] })
    } finally {
      await Promise.all([service, ...workers].map((process) => process.end('SIGKILL')))
    }
  })
})
