import { type LooseRequest, send } from '@liquidity-os/client'
import { contract, operationById } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import { startWorkers } from '../../src/service.ts'
import { TenantRecords } from '../../src/store/records/tenant-records.ts'
import { hostOf, startTestChain, type TestChain, validatedPool } from './chain.ts'
import { conformingFetch } from './conforming-fetch.ts'
import { versionOf } from './requests.ts'
import { newOrganization, startTestService, type TestMember, type TestService } from './service.ts'
import { until } from './until.ts'

export type Ref = { id: string; resourceVersion: string }
export type Share = Ref & { status: string; payload: Static<typeof contract.StudyShare> }

let test: TestChain
export let service: TestService
export let owner: TestMember
export let foreignOwner: TestMember
export let study: Ref
export let strategy: Ref
export let observation: Ref
export let venue: Ref & { payload: { address: string; pair: { base: string; quote: string } } }

/** A service with a study of two ways, and two organizations; the names above are bound when it has started. */
export async function startSharing(): Promise<void> {
  test = await startTestChain()
  service = await startTestService({
    OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl),
    PUBLIC_REQUESTS_PER_MINUTE: '100000',
  })
  owner = await newOrganization(service, 'Lighthouse Labs')
  foreignOwner = await newOrganization(service, 'Strangers')
  await observe()
  await studyIt()
}

export async function stopSharing(): Promise<void> {
  await service.stop()
  await test.chain.stop()
}

/** Amounts that cannot be met by chance. */
export const capital = { base: '1234567890123456789', quote: '987654321098765432' }

/** A validated venue with a sealed observation. */
async function observe(): Promise<void> {
  const workers = await startWorkers(service.services)
  venue = (await validatedPool(owner, test)) as never
  const { body } = await owner.client.queueVenueIndex({
    params: { id: venue.id },
    body: { payload: { mode: 'FULL' }, reason: 'For the test' },
  } as never)
  const jobId = (body.data as { id: string }).id
  await until('the index job has ended', async () => {
    const jobs = await owner.client.listOperatingSystemJobs()
    return jobs.body.data.some(({ id, status }) => id === jobId && status === 'COMPLETED')
  })
  await workers.stop()
}

/** A study of a range and of a strategy, with gas. */
async function studyIt(): Promise<void> {
  const found = (await owner.client.listVenueObservations()).body.data[0]!
  observation = found
  const { from, to } = found.payload.range
  const { pair } = venue.payload
  const created = await owner.client.createStrategies({
    body: {
      payload: {
        ...structuredClone(contract.createStrategies.example.body.payload),
        name: 'Follow the tide',
        pair,
        venue: { id: venue.id, resourceVersion: venue.resourceVersion },
        capital: { maxBase: `${10n ** 18n}`, maxQuote: `${10n ** 18n}` },
        parameters: { author: 'Ada of Lighthouse' },
      },
      reason: 'For the test',
    } as never,
  })
  strategy = created.body.data.strategy
  const { body } = await owner.client.createStudies({
    body: {
      payload: {
        schemaVersion: 'simulation-study-v1',
        name: 'Two ways',
        kind: 'REPLAY',
        pair,
        market: { venue: found.payload.venue },
        observations: [{ id: found.id, resourceVersion: found.resourceVersion }],
        window: { fromBlock: from.number, toBlock: to.number },
        arms: [
          {
            armId: 'stays',
            label: 'Stays',
            position: { kind: 'TICKS', tickLower: -1200, tickUpper: 1200 },
          },
          {
            armId: 'follows',
            label: 'Follows',
            strategy: { id: strategy.id, resourceVersion: strategy.resourceVersion },
          },
        ],
        capital: { ...capital, normalization: 'EQUAL_VALUE' },
        costs: { gas: { constantWei: '1000000000' }, nativePriceX18: `${10n ** 18n}` },
        tradeSizesQuote: [`${10n ** 16n}`],
        sampleSeconds: 12,
      },
      reason: 'A reason that is nobody else’s business',
    } as never,
  })
  study = body.data as never
}

export const disclosure = {
  showOrganization: true,
  showAmounts: true,
  showVenueAddress: true,
  showStrategyParameters: true,
  showAssumptions: true,
}

export interface Answer {
  status: number
  code?: string
  replayed: boolean
  fieldErrors: Record<string, string[]>
  share: Share
  headers: Headers
}

async function ask(by: TestMember, operationId: string, request: LooseRequest): Promise<Answer> {
  const operation = operationById.get(operationId)!
  const answer = await send({ ...by.options, fetch: conformingFetch }, operation, request)
  const body = JSON.parse(await answer.text())
  return {
    status: answer.status,
    code: body.error?.code,
    replayed: answer.headers.get('idempotency-replayed') === 'true',
    fieldErrors: body.error?.fieldErrors ?? {},
    share: body.data,
    headers: answer.headers,
  }
}

export const create = (
  payload: object = {},
  { by = owner, id = study.id, ...more }: { by?: TestMember; id?: string } & LooseRequest = {},
) =>
  ask(by, 'createStudyShareLink', {
    params: { id },
    body: { payload: { disclosure, ...payload }, reason: 'For the test' },
    ...more,
  })

export const revoke = async (
  { id }: { id: string },
  { by = owner, payload, ...more }: { by?: TestMember; payload?: object } & LooseRequest = {},
) =>
  ask(by, 'revokeStudyShareLink', {
    params: { id },
    ...(payload ? {} : { ifMatch: await versionOf(by, 'getStudyShares', id) }),
    body: { ...(payload ? { payload } : {}), reason: 'For the test' },
    ...more,
  })

export async function read(slug: string, headers: Record<string, string> = {}, from = service) {
  const operation = operationById.get('getSharedSimulationStudy')!
  const options = { baseUrl: from.baseUrl, fetch: conformingFetch }
  const answer = await send(options, operation, { params: { slug }, headers })
  const text = await answer.text()
  const { data, error } = text === '' ? { data: null, error: null } : JSON.parse(text)
  return { status: answer.status, headers: answer.headers, text, data, code: error?.code }
}

export const inTime = (milliseconds: number) =>
  new Date(service.clock.read() + milliseconds).toISOString()
export const sharesOf = async (by: TestMember) =>
  (await by.client.listStudyShares({ query: { limit: 100 } })).body.data

export const recordsOf = (by: TestMember) => {
  const { database, verified, artifacts, clock } = service.services
  const actor = { kind: 'SYSTEM', id: 'test' } as const
  const { organizationId } = by
  return new TenantRecords({
    purpose: 'REQUEST',
    organizationId,
    actor,
    now: clock(),
    database,
    verified,
    artifacts,
  })
}
