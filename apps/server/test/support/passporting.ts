import type { contract } from '@liquidity-os/contract'
import {
  generatePrivateKey,
  organizationHash,
  type PrivateKey,
  type ProviderChallenge,
  passportSubjectHash,
  printSeconds,
  signChallenge,
  signPassport,
  signRegistryReceipt,
} from '@liquidity-os/evidence'
import { sequenceEvents } from '../../src/families/prove/proof/sequence-events.ts'
import { startWorkers } from '../../src/service.ts'
import { hostOf, poolBody, type TestChain } from './chain.ts'
import { waitForEvents } from './published-events.ts'
import { callOperation, type TestResponse } from './requests.ts'
import { activate, indexTo, score, scoreRequest, startTradedChain } from './scoring.ts'
import { newOrganization, startTestService, type TestMember, type TestService } from './service.ts'
import { pathSpec, study } from './studying.ts'
import { until } from './until.ts'
import { observed, proveControl, theVault, type Vault, type Vaulted, vaulted } from './vaults.ts'

export type Payload = contract.LiquidityPassport
export type Preparation = contract.PassportPreparation

const reason = 'For the test'

/** A service with a chain that traded, and an organization that may publish a passport of a vault there. */
export interface PassportScene {
  readonly test: TestChain
  readonly service: TestService
  readonly owner: TestMember
  readonly vaulted: Vaulted
  readonly vault: Vault
  readonly key: PrivateKey
  readonly signerVersion: string
}

export async function startPassportScene(
  environment: Record<string, string> = {},
  { hasSigner = true }: { hasSigner?: boolean } = {},
): Promise<PassportScene> {
  const test = await startTradedChain({ swaps: 150, seconds: 200 })
  const allowed = [hostOf(test.chain.rpcUrl), environment.OUTBOUND_ALLOW ?? []].flat()
  const service = await startTestService({ ...environment, OUTBOUND_ALLOW: allowed.join(',') })
  // The setup mines about 14 blocks, and the last one must not be in the service's future.
  const timestamp = BigInt(Math.floor(service.clock.read() / 1000) - 16 * 200)
  await test.chain.testClient.setNextBlockTimestamp({ timestamp })
  const owner = await newOrganization(service, 'Example DAO')
  const scene = await vaulted(test, owner)
  const workers = await startWorkers(service.services)
  const [venue] = (await owner.client.listVenues()).body.data
  await indexTo(owner, venue!.id)
  await publishReport(owner, test)
  await workers.stop()
  const { id, resourceVersion } = venue!
  const request = scoreRequest(test, [{ id, resourceVersion }], { window: test.window })
  const scored = await score(owner, request)
  if (scored.status !== 201) throw new Error(`${scored.code} ${JSON.stringify(scored.fieldErrors)}`)
  const activated = await activate(owner, scored.data)
  if (activated.status !== 200) {
    throw new Error(`${activated.code} ${JSON.stringify(activated.fieldErrors)}`)
  }
  await proveControl(test, scene)
  await observed(service, scene)
  const key = generatePrivateKey()
  const signerVersion = hasSigner
    ? await registerKey(service, owner, { kind: 'SIGNER_ED25519', key })
    : ''
  const vault = await theVault(owner)
  return { test, service, owner, vaulted: scene, vault, key, signerVersion }
}

export async function stopPassportScene({ service, test }: PassportScene): Promise<void> {
  await service.stop()
  await test.chain.stop()
}

/** A signed report of a complete study about the pair. */
async function publishReport(owner: TestMember, test: TestChain): Promise<void> {
  const { pair } = poolBody(test).payload
  const made = await study(owner, pathSpec({ pair } as never))
  const { id } = made.data
  await until('the study has a result', async () => {
    const { body } = await owner.client.getStudies({ params: { id } })
    return body.data.status === 'COMPLETED'
  })
  const response = await callOperation<{ id: string }>(owner, 'createSignedStudyReport', {
    params: { id },
    body: { payload: { formats: ['csv'] }, reason },
  })
  if (response.status !== 201)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  await until('the report is signed', async () => {
    const { data } = await callOperation<{ id: string; status: string }[]>(
      owner,
      'listStudyReportJobs',
      {
        params: { id },
      },
    )
    return data.some((job) => job.id === response.data.id && job.status === 'COMPLETED')
  })
}

interface KeyProvider {
  readonly kind: 'SIGNER_ED25519' | 'RESULTS_REGISTRY'
  readonly key: PrivateKey
  readonly providerId?: string
  readonly ifMatch?: string
}

export function possessionOf(
  service: Pick<TestService, 'clock'>,
  { organizationId }: Pick<TestMember, 'organizationId'>,
  { kind, key, providerId = idOf(kind) }: KeyProvider,
  change: Partial<ProviderChallenge> = {},
) {
  const now = Math.floor(service.clock.read() / 1000)
  const challenge: ProviderChallenge = {
    purpose: kind === 'SIGNER_ED25519' ? 'PASSPORT_SIGNER' : 'RESULTS_REGISTRY',
    organizationHash: organizationHash(organizationId),
    providerId,
    publicKey: key.publicKey.raw,
    issuedAt: printSeconds(now),
    expiresAt: printSeconds(now + 3600),
    ...change,
  }
  const { issuedAt, expiresAt } = challenge
  return {
    challenge,
    possession: { issuedAt, expiresAt, signature: signChallenge(challenge, key) },
  }
}

const idOf = (kind: KeyProvider['kind']) =>
  kind === 'SIGNER_ED25519' ? 'issuer-key' : 'results-registry'

/** Registers a key and gives the generation. */
export async function registerKey(
  service: TestService,
  by: TestMember,
  provider: KeyProvider,
): Promise<string> {
  const { kind, key, providerId = idOf(kind), ifMatch } = provider
  const { possession } = possessionOf(service, by, provider)
  const put = await callOperation<{ resourceVersion: string }>(by, 'putOperatingSystemProvider', {
    ...(ifMatch ? { ifMatch } : {}),
    body: {
      payload: {
        providerId,
        kind,
        displayName: providerId,
        publicKeys: [key.publicKey.raw],
        configuration: { possession },
      },
      reason,
    },
  })
  if (put.status > 201) throw new Error(`${put.code} ${JSON.stringify(put.fieldErrors)}`)
  return put.data.resourceVersion
}

export async function prepared(
  { owner, vault }: Pick<PassportScene, 'owner' | 'vault'>,
  query: Record<string, string> = {},
): Promise<Preparation> {
  const response = await callOperation<Preparation>(owner, 'preparePassport', {
    params: { id: vault.id },
    query,
  })
  if (response.status !== 200)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}

export const flags = [
  ...(['showTreasuryOwnership', 'showExternalManagerNames'] as const),
  ...(['showIncidentDetails', 'showPolicyLimits'] as const),
] as const
type Flag = (typeof flags)[number]

interface Wished {
  readonly slug?: string
  readonly shows?: readonly Flag[]
  readonly brandPartnerId?: string
  readonly resultsRegistryProviderId?: string
}

/** A payload that could be published now, unsigned, and without the receipt of a registry. */
export async function draft(
  scene: PassportScene,
  { slug = 'example-dao', shows = [], ...named }: Wished = {},
): Promise<Omit<Payload, 'contentHash' | 'signature'>> {
  const disclosure = Object.fromEntries(flags.map((flag) => [flag, shows.includes(flag)]))
  const query = Object.fromEntries(shows.map((flag) => [flag, 'true']))
  const found = await prepared(scene, { ...query, ...named, slug })
  if (!found.claims || !found.sourceBindings) throw new Error(JSON.stringify(found.claimBlockers))
  const generated = Date.parse(found.generatedAt) / 1000
  return {
    passportVersion: 'liquidity-passport-v1',
    signatureAlgorithm: 'Ed25519',
    artifactRendererVersion: 'liquidity-passport-artifacts-v2',
    signerProviderId: 'issuer-key',
    signerKeyResourceVersion: scene.signerVersion,
    slug,
    vaultId: scene.vault.id,
    generatedAt: printSeconds(generated),
    validUntil: printSeconds(generated + 86_400),
    ...found.claims,
    disclosure: disclosure as Payload['disclosure'],
    reportHashes: found.sourceBindings.reports.map(({ hash }) => hash),
    sourceBindings: found.sourceBindings,
    ...(found.supersedesPassportHash
      ? { supersedesPassportHash: found.supersedesPassportHash }
      : {}),
    ...(found.reportBrand ? { reportBrand: found.reportBrand } : {}),
    marketQualityScoreId: found.sourceBindings.marketQualityScore.id,
  }
}

/** A payload with a receipt of a registered registry, by default for exactly this payload. */
export async function withReceipt(
  { owner }: Pick<PassportScene, 'owner'>,
  payload: Omit<Payload, 'contentHash' | 'signature'>,
  key: PrivateKey,
  subject: object = payload,
) {
  const { data } = await callOperation<RegisteredKey[]>(owner, 'listOperatingSystemProviders')
  const { providerId, resourceVersion, attestationHash } = data.flatMap((one) => {
    const { kind, providerId, probe } = one.payload
    if (kind !== 'RESULTS_REGISTRY') return []
    return [{ ...one, providerId, attestationHash: probe.facts.attestationHash! }]
  })[0]!
  const receipt = signRegistryReceipt(
    {
      providerId,
      providerResourceVersion: resourceVersion,
      providerAttestationHash: attestationHash,
    },
    passportSubjectHash({ ...subject }),
    payload.generatedAt,
    key,
  )
  return {
    ...payload,
    resultsRegistryProviderId: providerId,
    resultsRegistryProviderResourceVersion: resourceVersion,
    resultsRegistryProviderAttestationHash: attestationHash,
    resultsRegistryCommitmentHash: receipt.commitmentHash,
    resultsRegistryReceipt: receipt,
  }
}

interface RegisteredKey {
  readonly resourceVersion: string
  readonly payload: {
    readonly kind: string
    readonly providerId: string
    readonly probe: { readonly facts: Readonly<Record<string, string>> }
  }
}

export interface Published {
  readonly passport: { id: string; resourceVersion: string; payload: Payload; status: string }
  readonly reportJob: { id: string }
  readonly signedFormatsReady: string[]
  readonly artifactState: string
}

export const publish = (
  by: TestMember,
  payload: object,
  more: { ifMatch?: string; idempotencyKey?: string } = {},
): Promise<TestResponse<Published>> =>
  callOperation(by, 'publishLiquidityPassport', { body: { payload, reason }, ...more })

export const publishSigned = (
  scene: Pick<PassportScene, 'owner' | 'key'>,
  payload: object,
  more: { ifMatch?: string } = {},
): Promise<TestResponse<Published>> =>
  publish(scene.owner, signPassport({ ...payload }, scene.key), more)

/** Lets the jobs of publications end, and takes what happened into the log. */
export async function settled({ service, owner }: PassportScene, jobId: string): Promise<void> {
  const workers = await startWorkers(service.services)
  const job = await until('the artifacts are registered', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    return jobs.find(({ id, finishedAt }) => id === jobId && finishedAt)
  })
  await workers.stop()
  if (job.status !== 'COMPLETED') throw new Error(JSON.stringify(job.error))
  await waitForEvents(service)
  await sequenceEvents(service.services)
}
