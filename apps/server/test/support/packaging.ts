import type { LooseRequest } from '@liquidity-os/client'
import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { runInlineStudy } from '../../src/families/simulate/studies/run-inline-study.ts'
import type { StudySpec } from '../../src/families/simulate/studies/validate-spec.ts'
import { hostOf, startTestChain, type TestChain } from './chain.ts'
import { type ObservedVenue, observedVenue } from './observed-venue.ts'
import { callOperation, type TestResponse } from './requests.ts'
import {
  newMember,
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from './service.ts'

export type Package = VersionedRecord<Static<typeof contract.StrategyPackage>>
export type Strategy = VersionedRecord<Static<typeof contract.StrategyDefinitionV2>>
type Seeded = { strategy: Strategy; compilation: Static<typeof contract.StrategyCompilation> }
type Evidence = Static<typeof contract.getStrategyEvidence.response.schema>

let test: TestChain
export let service: TestService
export let owner: TestMember
/** A second operator, who may approve what the owner wrote. */
export let operator: TestMember
export let foreignOwner: TestMember
export let observed: ObservedVenue
/** Result hash of the example's study in this engine build. */
export let expectedResultHash: string

/** A service with an observed venue and two organizations; the names above are bound when it has started. */
export async function startPackaging(): Promise<void> {
  lasting = null
  test = await startTestChain()
  service = await startTestService({ OUTBOUND_ALLOW: hostOf(test.chain.rpcUrl) })
  owner = await newOrganization(service)
  operator = await newMember(service, owner.organizationId, 'OPERATOR')
  foreignOwner = await newOrganization(service)
  observed = await observedVenue(service, owner, test)
  // Package authors take this value from the sandbox.
  const spec = example.twin.spec as unknown as StudySpec
  expectedResultHash = (await runInlineStudy(service.services.awaited, spec)).result.resultHash
}

export async function stopPackaging(): Promise<void> {
  await service.stop()
  await test.chain.stop()
}

export const example = contract.createStrategyPackageCandidate.example.body.payload
export const hole = contract.hole
export const unknown = `0x${'9'.repeat(64)}`

export const candidate = (change: object = {}) => ({
  ...structuredClone(example),
  twin: { spec: structuredClone(example.twin.spec), expectedResultHash },
  ...change,
})

export const create = (
  payload: object = candidate(),
  { by = owner, ...more }: { by?: TestMember } & LooseRequest = {},
): Promise<TestResponse<Package>> =>
  callOperation(by, 'createStrategyPackageCandidate', {
    body: { payload, reason: 'For the test' },
    ...more,
  })

const decide =
  (operationId: string) =>
  (
    { id, resourceVersion: ifMatch }: { id: string; resourceVersion?: string },
    { by = operator, body = {}, ...more }: { by?: TestMember; body?: object } & LooseRequest = {},
  ): Promise<TestResponse<Package>> =>
    callOperation(by, operationId, {
      params: { id },
      ...(ifMatch === undefined ? {} : { ifMatch }),
      body: { reason: 'For the test', ...body },
      ...more,
    })
export const approve = decide('approveStrategyPackage')
export const revoke = decide('revokeStrategyPackage')

export const seed = (
  { id }: { id: string },
  payload: object = {},
  { by = owner, ...more }: { by?: TestMember } & LooseRequest = {},
): Promise<TestResponse<Seeded>> =>
  callOperation(by, 'seedStrategyFromApprovedPackage', {
    params: { id },
    body: {
      payload: {
        parameters: {},
        ...observed,
        capital: { maxBase: `${10n ** 18n}`, maxQuote: `${10n ** 18n}` },
        ...payload,
      },
      reason: 'For the test',
    },
    ...more,
  })

/** A package that the second operator has approved. */
export async function approved(payload?: object): Promise<Package> {
  const { data, code } = await approve((await create(payload)).data)
  if (code !== '') throw new Error(`The package was refused: ${code}`)
  return data
}

let lasting: Promise<Package> | null = null

/**
 * An approved package shared by tests that do not change it, because each approval recomputes its
 * study.
 */
export function lastingPackage(): Promise<Package> {
  lasting ??= approved()
  return lasting
}

export const evidenceOf = async (id: string) =>
  (await callOperation<Evidence>(owner, 'getStrategyEvidence', { params: { id } })).data
