import { contract } from '@liquidity-os/contract'
import { startWorkers } from '../../src/service.ts'
import { type poolBody, validatedPool } from './chain.ts'
import type { TestMember, TestService } from './service.ts'
import { until } from './until.ts'

type Pair = ReturnType<typeof poolBody>['payload']['pair']

export interface ObservedVenue {
  venue: { id: string; resourceVersion: string }
  pair: Pair
}

/** A validated venue of the chain's pool, indexed to its head. */
export async function observedVenue(
  service: TestService,
  owner: TestMember,
  test: Parameters<typeof validatedPool>[1],
): Promise<ObservedVenue> {
  const workers = await startWorkers(service.services)
  const { id, resourceVersion, payload } = await validatedPool(owner, test)
  const { body } = await owner.client.queueVenueIndex({
    params: { id },
    body: { payload: { mode: 'FULL' }, reason: 'For the test' },
  } as never)
  const jobId = (body.data as { id: string }).id
  await until('the index job has ended', async () => {
    const jobs = await owner.client.listOperatingSystemJobs()
    return jobs.body.data.some((job) => job.id === jobId && job.status === 'COMPLETED')
  })
  await workers.stop()
  return { venue: { id, resourceVersion }, pair: payload.pair as Pair }
}

/** The example of a strategy for a venue, with capital that its test chain has. */
export const definitionFor = (
  { venue, pair }: ObservedVenue,
  change: Record<string, unknown> = {},
): Record<string, unknown> => ({
  ...structuredClone(contract.createStrategies.example.body.payload),
  pair,
  venue,
  capital: { maxBase: '1000000000000000000', maxQuote: '1000000000000000000' },
  ...change,
})
