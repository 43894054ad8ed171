import type { LooseRequest } from '@liquidity-os/client'
import type { contract, OperatingSystemEvent } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { admissionStudies, type Ref, type Study, storedStudy } from './admissible.ts'
import { hostOf, startTestChain, type TestChain } from './chain.ts'
import { definitionFor, type ObservedVenue, observedVenue } from './observed-venue.ts'
import { callOperation, type TestResponse, versionOf } from './requests.ts'
import { newOrganization, startTestService, type TestMember, type TestService } from './service.ts'

export type Strategy = VersionedRecord<Static<typeof contract.StrategyDefinitionV2>>
type Admitted = { admission: OperatingSystemEvent; gates: Static<typeof contract.AdmissionGate>[] }
type Evidence = Static<typeof contract.getStrategyEvidence.response.schema>

let test: TestChain
export let service: TestService
export let owner: TestMember
export let foreignOwner: TestMember
export let observed: ObservedVenue
/** Strategy of all tests, so its studies apply to each. */
export let definition: Record<string, unknown>
/** Studies of the strategy: one historical, one on random paths. */
export let replay: Study
export let paths: Study

/** A service with two organizations and the studies of one; the names above are bound when it has started. */
export async function startAdmitting(): Promise<void> {
  test = await startTestChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  foreignOwner = await newOrganization(service)
  observed = await observedVenue(service, owner, test)
  definition = definitionFor(observed)
  ;({ replay, paths } = await admissionStudies(owner, await validated()))
}

export async function stopAdmitting(): Promise<void> {
  await service.stop()
  await test.chain.stop()
}

export const unknown = `0x${'9'.repeat(64)}`

/** A strategy that an operator has validated. */
export async function validated(change: object = {}, by = owner): Promise<Strategy> {
  const body = {
    payload: { ...definition, ...change },
    status: 'VALIDATED',
    reason: 'For the test',
  }
  const { data } = await callOperation<{ strategy: Strategy }>(by, 'createStrategies', { body })
  return data.strategy
}

export const stored = (study: Study, change: Parameters<typeof storedStudy>[3] = {}) =>
  storedStudy(service, owner, study, change)

export const limits = {
  maxEs95LossPips: 900_000,
  minDepthTimeSharePips: 0,
  maxFailurePips: 100_000,
}

export const admit = async (
  { id }: { id: string },
  payload: { studies: readonly Ref[] } & Record<string, unknown>,
  { by = owner, ...more }: { by?: TestMember } & LooseRequest = {},
): Promise<TestResponse<Admitted>> =>
  callOperation(by, 'admitStrategyProposal', {
    params: { id },
    ...(payload.resourceVersion === undefined
      ? { ifMatch: await versionOf(by, 'getStrategies', id) }
      : {}),
    body: { payload: { limits, validForSeconds: 3600, ...payload }, reason: 'For the test' },
    ...more,
  })

export const bothStudies = async () => [await stored(replay), await stored(paths)]

export const evidenceOf = async ({ id }: { id: string }) =>
  (await callOperation<Evidence>(owner, 'getStrategyEvidence', { params: { id } })).data

export const supersede = (strategy: Strategy, body: object) =>
  callOperation<{ strategy: Strategy; compilationEvidence: OperatingSystemEvent }>(
    owner,
    'supersedeStrategies',
    {
      params: { id: strategy.id },
      ifMatch: strategy.resourceVersion,
      body: { reason: 'For the test', ...body },
    },
  )
