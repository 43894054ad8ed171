// @module-tag long
// @module-tag postgres
// @covers packages/contract/src packages/client/src apps/server/src

import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClientOptions, type LooseRequest, send } from '@liquidity-os/client'
import {
  basePath,
  contract,
  extensionOperations,
  type Operation,
  operations,
  responseExamples,
} from '@liquidity-os/contract'
import { signPassport, type VersionedRecord } from '@liquidity-os/evidence'
import {
  createSafe,
  deployRoleToken,
  erc20Abi,
  type Localchain,
  loadRecording,
  readRecording,
  type SafeTransaction,
  safeExecutionData,
  signSafeTransaction,
  startLocalchain,
  swapRouterAbi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type HDAccount } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sweepAlerts } from '../../src/families/intelligence/alerts/alert-sweep.ts'
import { newestCheckpoint } from '../../src/families/prove/proof/log-store.ts'
import { queueDue } from '../../src/jobs/schedules.ts'
import { startWorkers, type Workers } from '../../src/service.ts'
import { admissionStudies, storedStudy } from '../support/admissible.ts'
import { hostOf, type TestChain } from '../support/chain.ts'
import { conformingFetch } from '../support/conforming-fetch.ts'
import { custodianBytes, statementOf } from '../support/custody.ts'
import { positionForExample } from '../support/example-position.ts'
import {
  type ExecutionDesk,
  isoIn,
  type QuoteRequest,
  refOf,
  rfqQuote,
} from '../support/executing.ts'
import { type PartnerWorld, startPartnerWorld } from '../support/partner-world.ts'
import {
  draft,
  type Published,
  settled,
  startPassportScene,
  stopPassportScene,
} from '../support/passporting.ts'
import { candlesOf, type PriceSource, startPriceSource } from '../support/price-source.ts'
import { type Proposal, safeTransactionOf } from '../support/proposing.ts'
import { callOperation, versionOf } from '../support/requests.ts'
import {
  programRequest,
  type RewardChain,
  rewardedVenues,
  startRewardChain,
} from '../support/rewarding.ts'
import { type Score, storedScore } from '../support/scoring.ts'
import { type SentStatement, watchStatements } from '../support/sent-statements.ts'
import {
  newOrganization,
  startTestService,
  type TestMember,
  type TestService,
} from '../support/service.ts'
import { until } from '../support/until.ts'
import { proveControl } from '../support/vaults.ts'
import { passExtensionOperations } from './extension-operations.ts'
import { manyShards } from './many-shards.ts'
import { printStatements, reachedShards } from './reached-shards.ts'

/**
 * Sends the example of every operation that is served to a running service, on a real chain. Each answer
 * is held against its own schema; with UPDATE_EXAMPLES=1 the answers become the response examples of the
 * OpenAPI document.
 *
 * Every statement that was sent on the way is held against the rules of an engine that is sharded by organization; with
 * UPDATE_STATEMENTS=1 they are printed into `statements.txt`.
 */
let chain: Localchain
let rewards: RewardChain
let prices: PriceSource
let partnering: PartnerWorld
let service: TestService
let owner: TestMember
let workers: Workers
let sent: () => SentStatement[]
const answers: Record<string, unknown> = {}
const partnerHost = contract.createPartnerDomainChallenge.example.body.payload.host
/** What an example says, and what stands for it in this run. */
const stands = new Map<string, string>()

beforeAll(async () => {
  chain = await startLocalchain()
  const dataset = fileURLToPath(
    new URL('../../../../datasets/v3-ens-weth-from-init', import.meta.url),
  )
  const recording = await loadRecording(chain, readRecording(dataset))
  await chain.mine(4)
  rewards = await startRewardChain()
  prices = await startPriceSource()
  partnering = await startPartnerWorld([partnerHost])
  service = await startTestService({
    ...partnering.environment,
    OUTBOUND_ALLOW: [
      hostOf(chain.rpcUrl, rewards.chain.rpcUrl, prices.url),
      ...partnering.allowed,
    ].join(','),
    // What the sweep finds of a staged execution would refuse the admission of a slow run.
    ANOMALY_SWEEP_SECONDS: '0',
    FEED_PULL_SECONDS: '300',
    ...pinned('PLANS', 'plans.json'),
    ...pinned('ACP_OFFERING', 'offering.json'),
    PUBLIC_CHAINS: publicChainsFile(chain),
  })
  sent = watchStatements(service.database)
  partnering.leadTo(service.baseUrl)
  workers = await startWorkers(service.services)
  owner = await newOrganization(service, 'Example organization')
  const quote = chain.contracts.weth9
  stands.set('https://rpc.example.com/', chain.rpcUrl)
  stands.set('0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', quote)
  stands.set(
    '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
    recording.token0 === quote ? recording.token1 : recording.token0,
  )
  stands.set('0x92560C178cE069CC014138eD3C2F5221Ba71f58a', recording.pool)
  stands.set('0x1F98431c8aD98523631AE4a59f267346ea31F984', chain.contracts.uniswapV3Factory)
  // Keys of assets name tokens in lower case.
  for (const [placeholder, real] of [...stands].filter(([one]) =>
    /^0x[0-9a-fA-F]{40}$/.test(one),
  )) {
    stands.set(placeholder.toLowerCase(), real.toLowerCase())
  }
})
afterAll(async () => {
  await workers.stop()
  await service.stop()
  await rewards.chain.stop()
  await prices.stop()
  await partnering.stop()
  await chain.stop()
})

/** The variables of an example that the docs show. */
function pinned(name: string, file: string): Record<string, string> {
  const path = fileURLToPath(new URL(`../../../../docs/examples/${file}`, import.meta.url))
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  return { [`${name}_FILE`]: path, [`${name}_SHA256`]: sha256 }
}

/** The chain of the examples as one of which strangers may ask. */
function publicChainsFile({ chainId, rpcUrl, contracts }: Localchain): string {
  const path = join(mkdtempSync(join(tmpdir(), 'liquidity-examples-')), 'chains.json')
  const factories = [
    { kind: 'UNISWAP_V2', address: contracts.uniswapV2Factory },
    { kind: 'UNISWAP_V3', address: contracts.uniswapV3Factory },
  ]
  const chains = [{ chainId, endpoints: [rpcUrl], referenceQuote: contracts.weth9, factories }]
  writeFileSync(path, JSON.stringify({ chains }))
  return path
}

function substituted<T>(value: T): T {
  let text = JSON.stringify(value) ?? 'null'
  for (const [placeholder, real] of stands) text = text.replaceAll(placeholder, real)
  return JSON.parse(text) as T
}

const byId = (id: string): Operation => {
  const operation = operations.find((found) => found.id === id)
  if (!operation) throw new Error(`Operation ${id} does not exist.`)
  return operation
}

type Study = VersionedRecord<contract.CapitalRequirementStudy>
type Run = VersionedRecord<contract.AgentRun>
type Answer = { data: Record<string, unknown> & { id: string; resourceVersion: string } }

async function example(
  id: string,
  request: LooseRequest = {},
  options: ClientOptions = owner.options,
): Promise<Answer> {
  const operation = byId(id)
  const answer = await send({ ...options, fetch: conformingFetch }, operation, {
    ...(operation.example?.body === undefined ? {} : { body: substituted(operation.example.body) }),
    ...request,
  })
  const text = await answer.text()
  expect(operation.success, `${id}: ${text}`).toContain(answer.status)
  const body = text === '' ? null : JSON.parse(text)
  answers[id] = body
  if (answer.status === 201) locations.set(id, answer.headers.get('location'))
  return body
}

/** Location of each response 201. */
const locations = new Map<string, string | null>()

/**
 * Responses 201 without one new record or job that can be read by its id: they add to a record,
 * create several, or create what only a list returns.
 */
const withoutLocation = [
  'admitProtectedExecutionQuotesForRequest',
  'admitStrategyProposal',
  'appendLaunchTimelineEvent',
  'appendMigrationPlanTransition',
  'appendProposalComment',
  'appendProtectedExecutionLegTransition',
  'compareProposals',
  'ingestMarketMakerEvidence',
  'issueProjectControlChallenge',
  'preparePartnerProposal',
  'putOperatingSystemProvider',
  'refreshSavedProject',
  'runNonCustodialSandboxStudy',
  'seedLaunchWorkspace',
]

const revokeExample = async (id: string, readId: string, recordId: string): Promise<Answer> =>
  example(id, { params: { id: recordId }, ifMatch: await versionOf(owner, readId, recordId) })

it('sends the examples of everything but passports', async () => {
  await example('getOperatingSystemOpenApi')
  await example('listWorkspacePlans')
  await example('getPublicAcpOffering')
  await discovery()

  const bookmark = await example('savePlatformProject')
  await example('listSavedPlatformProjects')
  await example('getSavedPlatformProject', { params: { id: bookmark.data.id } })
  await example('removeSavedPlatformProject', { params: { id: bookmark.data.id } })

  await credentials()
  const webhook = (await example('createWebhooks')).data.webhook as Answer['data']
  await example('listWebhooks')
  await example('getWebhooks', { params: { id: webhook.id } })
  await example('supersedeWebhooks', {
    params: { id: webhook.id },
    ifMatch: webhook.resourceVersion,
  })

  const node = await example('putOperatingSystemProvider')
  // Extensions, whose statements count too.
  const params = { id: node.data.id }
  await callOperation(owner, 'readProviderHealth', { params })
  await callOperation(owner, 'probeProvider', { params, body: { reason: 'For the test' } })
  const [job] = (await owner.client.listOperatingSystemJobs()).body.data
  await callOperation(owner, 'getOperatingSystemJob', { params: { id: job!.id } })
  await example('listOperatingSystemProviders')
  await venueAndStudy()
  await assumptions()
  await ledger()
  await control()
  await custody()
  await projections()
  await capital()
  await stress()
  await unlocks()
  await decisions()
  await research()
  await intents()
  await launches()
  await attribution()
  await incentives()
  await vaults()
  await policies()
  await mandates()
  await packets()
  await partners()
  await execution()
  await example('getOperatingSystemWorkspace')
  await example('listOperatingSystemArtifacts')
  await until('the first head of the proof log', () => newestCheckpoint(service.database))
  await example('listProofV2')
  await example('getOperatingSystemStatus')
})

it('sends the examples of passports', passports)

it('has sent the example of every operation', () => {
  if (process.env.UPDATE_EXAMPLES) writeExamples()
  const served = operations.map(({ id }) => id)
  expect(Object.keys(answers).sort()).toEqual(served.sort())
})

it('queries one shard in every statement, except the listed ones', async () => {
  await passExtensionOperations(service)
  const reached = await reachedShards(service.database, sent())
  if (process.env.UPDATE_STATEMENTS) printStatements(reached)
  const asking = reached.flatMap(({ senders, far }) =>
    [...senders].flatMap((sender) => far.map((table) => `${sender} ${table}`)),
  )
  const named = manyShards.flatMap(({ sender, tables }) =>
    tables.map((table) => `${sender} ${table}`),
  )
  expect([...new Set(asking)].sort()).toEqual(named.sort())
})

async function discovery(): Promise<void> {
  await example('getMarketDiscoveryCapabilities')
  const query = byId('searchDiscoveredProjects').example?.query
  await example('searchDiscoveredProjects', { query: query ?? {} })
  const params = byId('getDiscoveredProjectMarket').example?.params
  await example('getDiscoveredProjectMarket', { params: params ?? {} })
  await example('resolvePublicProject')
  await example('investigatePublicProjectLiquidity')
  const project = await example('savePublicProject')
  stands.set('project_example', project.data.id)
  const ofProject = { params: { projectId: project.data.id } }
  await example('listSavedProjects')
  await example('getSavedProject', ofProject)
  service.clock.advance(60_000)
  await example('refreshSavedProject', ofProject)
  await example('listSavedProjectObservations', ofProject)
  await example('getSavedProjectObservation', {
    params: { projectId: project.data.id, version: 1 },
  })
  await example('getWorkflowContext')
  const run = await example('runWorkflowResearch')
  await example('listCompletedWorkflowRuns')
  await example('getCompletedWorkflowRun', { params: { id: run.data.id } })
}

/** On a host whose name servers and TLS are those of the example; the organization is its own issuer. */
async function partners(): Promise<void> {
  partnering.names.zone(partnerHost)
  type Challenge = VersionedRecord<contract.PartnerDomainChallenge>
  const reviewed = async (id: string, { resourceVersion, ...record }: Answer['data']) =>
    (
      await example(id, {
        params: { id: record.id },
        body: { ...(byId(id).example?.body as object), resourceVersion },
      })
    ).data
  const issued = (await example('createPartnerDomainChallenge')).data
  const { recordName, recordValue } = (issued as unknown as Challenge).payload
  partnering.names.publish(recordName, recordValue)
  const verified = await reviewed('verifyPartnerDomainChallenge', issued)
  const domain = await reviewed('provisionPartnerDomainChallenge', verified)
  await example('listPartnerDomainChallenges')
  await example('getPartnerDomainChallenge', { params: { id: domain.id } })
  await example('getPartnerDomainStatus', { params: { id: domain.id } })

  const domainChallenge = { id: domain.id, resourceVersion: domain.resourceVersion }
  const configured = ({ payload, ...body }: { payload: object; reason: string }) => ({
    ...body,
    payload: { ...payload, domainChallenge },
  })
  const created = await example('createVerifiedPartnerTenant', {
    body: configured(contract.createVerifiedPartnerTenant.example.body),
  })
  const partner = await example('updatePartnerConfiguration', {
    params: { id: created.data.id },
    ifMatch: created.data.resourceVersion,
    body: configured(contract.updatePartnerConfiguration.example.body),
  })
  await example('listPartners')
  await example('getPartners', { params: { id: partner.data.id } })
  const { auth: _, organizationId: __, ...anonymous } = owner.options
  await example('getVerifiedHostBrand', {}, anonymous)
  await logoOfPartner(partner.data, configured)
  await consent(partner.data.id)
  await revokeExample('revokePartnerTenant', 'getPartners', partner.data.id)
  await revokeExample('revokePartnerDomainChallenge', 'getPartnerDomainChallenge', domain.id)
}

async function logoOfPartner(
  { id, resourceVersion }: Answer['data'],
  configured: (body: { payload: object; reason: string }) => object,
): Promise<void> {
  const { payload, reason } = contract.updatePartnerConfiguration.example.body
  const brand = { ...payload.brand, logo: { mediaType: 'image/png', base64: onePixel } }
  const { body } = await owner.client.updatePartnerConfiguration({
    params: { id },
    ifMatch: resourceVersion,
    body: configured({ payload: { ...payload, brand }, reason }) as never,
  })
  const { logo } = body.data.payload.brand
  if (!logo) throw new Error('The partner has no logo.')
  const operation = contract.getVerifiedPartnerBrandLogo
  const { auth: _, organizationId: __, ...anonymous } = owner.options
  const answer = await send({ ...anonymous, fetch: conformingFetch }, operation, {
    params: { contentHash: logo.contentHash },
  })
  expect(answer.status).toBe(200)
  answers[operation.id] = null
}

/** A red pixel as a PNG. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4IaAHAAKqAQeCJZruAAAAAElFTkSuQmCC'

async function consent(partnerId: string): Promise<void> {
  const options = await example('getPartnerConsentOptions', { query: { host: partnerHost } })
  const { partners, vaults } = options.data as unknown as contract.PartnerConsentOptions
  const { partnerConfiguration, consentTextHash } = partners[0]!
  const { payload, reason } = contract.grantPartnerConsent.example.body
  const named = { partnerId, partnerConfiguration, consentTextHash, vaultIds: [vaults[0]!.id] }
  const granted = await example('grantPartnerConsent', {
    body: { payload: { ...payload, ...named }, reason },
  })
  const params = { id: granted.data.id }
  await example('listPartnerConsents')
  await example('getPartnerConsents', { params })
  await preparation(partnerId)
  await revokeExample('revokePartnerConsent', 'getPartnerConsents', granted.data.id)
}

/** What the partner prepares for the vault; the issuer imports one and declines the other. */
async function preparation(partnerId: string): Promise<void> {
  const params = { partnerId }
  await example('getPartnerPortfolio', { params })
  const context = await example('getPartnerPreparationContext', { params })
  type Context = { consent: object; contextHash: string }
  const [{ consent: granted, contextHash }] = context.data.vaults as [Context]
  const { payload, reason } = substituted(contract.preparePartnerProposal.example.body)
  const { organizationId } = owner
  const body = {
    payload: {
      ...payload,
      issuerOrganizationId: organizationId,
      consent: granted,
      contextHash,
    },
    reason,
  }
  const first = await example('preparePartnerProposal', { params, body })
  const second = await example('preparePartnerProposal', { params, body })
  await example('getPartnerPreparationReceiptRecovery', { params })
  await example('listPartnerPreparations')
  const eventId = `${first.data.eventId}`
  const { packetHash } = first.data.receipt as contract.PartnerPreparationReceipt
  const importing = contract.importPartnerPreparation.example.body
  await example('importPartnerPreparation', {
    params: { eventId },
    body: { ...importing, expectedPacketHash: packetHash },
  })
  await example('declinePartnerPreparation', { params: { eventId: `${second.data.eventId}` } })
  await example('getPartnerPreparationStatus', { params: { partnerId, eventId } })
}

async function credentials(): Promise<void> {
  const key = (await example('createDeveloperCredentials')).data.credential as Answer['data']
  await example('listDeveloperCredentials')
  await example('getDeveloperCredentials', { params: { id: key.id } })
  const rotated = await example('rotateDeveloperCredential', {
    params: { id: key.id },
    ifMatch: key.resourceVersion,
  })
  const { resourceVersion } = rotated.data.credential as Answer['data']
  await example('supersedeDeveloperCredentials', {
    params: { id: key.id },
    ifMatch: resourceVersion,
  })

  const { body } = await owner.client.createDeveloperCredentials({
    body: {
      label: 'Client',
      kind: 'OAUTH_CLIENT',
      scopes: ['studies:read'],
      reason: 'For the example',
    },
  })
  const basic = Buffer.from(`${body.data.credential.id}:${body.data.secret}`).toString('base64')
  const { auth: _, ...anonymous } = owner.options
  await example(
    'issueOperatingSystemOAuthToken',
    { headers: { authorization: `Basic ${basic}` } },
    anonymous,
  )
}

async function venueAndStudy(): Promise<void> {
  const draft = await example('createVenues')
  const tagged = await example('supersedeVenues', {
    params: { id: draft.data.id },
    ifMatch: draft.data.resourceVersion,
  })
  await owner.client.supersedeVenues({
    params: { id: draft.data.id },
    ifMatch: tagged.data.resourceVersion,
    body: { status: 'VALIDATED', reason: 'Checked against the chain' },
  })
  await example('listVenues')
  await example('getVenues', { params: { id: draft.data.id } })
  const job = await example('queueVenueIndex', { params: { id: draft.data.id } })
  await until('the index job has ended', async () => {
    const { body } = await owner.client.listOperatingSystemJobs()
    return body.data.some(({ id, status }) => id === job.data.id && status === 'COMPLETED')
  })
  await example('listOperatingSystemJobs')
  const { body } = await owner.client.listVenueObservations()
  const observation = body.data[0]!
  await example('listVenueObservations')
  await example('getVenueObservations', { params: { id: observation.id } })

  const { from, to } = observation.payload.range
  stands.set('venue_observation_example', observation.id)
  stands.set(`0x${'2'.repeat(64)}`, observation.resourceVersion)
  stands.set('venue_example', draft.data.id)
  stands.set(`0x${'1'.repeat(64)}`, observation.payload.venue.resourceVersion)
  stands.set('"fromBlock":0,"toBlock":1', `"fromBlock":${from.number},"toBlock":${to.number}`)
  const judged = await example('createScores')
  await example('listScores')
  await example('getScores', { params: { id: judged.data.id } })
  const { payload } = judged.data as unknown as Score
  // A launch of half an hour is not judged; this is what another week would have come to.
  const score = await storedScore(service, owner, {
    ...payload,
    state: 'COMPLETED',
    scorePips: 712_345,
    grade: 'B',
    confidencePips: 812_000,
  })
  await example('activateMarketQualityScore', {
    params: { id: score.id },
    ifMatch: score.resourceVersion,
  })

  const anomaly = await example('createAnomalies')
  await example('listAnomalies')
  await example('getAnomalies', { params: { id: anomaly.data.id } })
  await example('listAlertsV2')
  await example('getUnifiedLiquidityMap')
  await callOperation(owner, 'listInbox')
  await callOperation(owner, 'listChainOffers')
  await callOperation(owner, 'listAddressLabels', {
    query: { addresses: `0x${'0'.repeat(40)}` },
  })
  // Extensions of the map, whose statements count too.
  await callOperation(owner, 'listMarketSummaries')
  const venueId = substituted('venue_example')
  await callOperation(owner, 'readMarketHistory', { query: { venueId } })
  await callOperation(owner, 'listAssets')
  for (const view of ['lists/venues', `markets/${venueId}/history`]) {
    await callOperation(owner, 'downloadExport', { params: { view }, query: { as: 'json' } })
  }

  await thresholdStatements(substituted('venue_example'))

  const study = await example('createStudies')
  await example('listStudies')
  await example('getStudies', { params: { id: study.data.id } })
  await example('runNonCustodialSandboxStudy')
  await example('createSignedStudyReport', { params: { id: study.data.id } })
  await example('listStudyReportJobs', { params: { id: study.data.id } })
  await shares(study.data.id)

  const plan = await example('createAllocationPlans')
  await example('listAllocationPlans')
  await example('getAllocationPlans', { params: { id: plan.data.id } })

  const created = (await example('createStrategies')).data.strategy as Answer['data']
  const params = { id: created.id }
  await example('listStrategies')
  await example('getStrategies', { params })
  const superseded = await example('supersedeStrategies', {
    params,
    ifMatch: created.resourceVersion,
  })
  await example('wrapLegacyStrategyDefinition')
  await packages()
  await migration()
  const { replay, paths } = await admissionStudies(owner, superseded.data.strategy as never)
  const studies = {
    replay: await storedStudy(service, owner, replay),
    paths: await storedStudy(service, owner, paths),
  }
  stands.set('study_replay_example', studies.replay.id)
  stands.set(`0x${'4'.repeat(64)}`, studies.replay.resourceVersion)
  stands.set('study_paths_example', studies.paths.id)
  stands.set(`0x${'5'.repeat(64)}`, studies.paths.resourceVersion)
  await example('admitStrategyProposal', {
    params,
    ifMatch: (superseded.data.strategy as { resourceVersion: string }).resourceVersion,
  })
  await example('getStrategyEvidence', { params })
}

/** A threshold that fires at once, is read and previewed, and ends with its rule. */
async function thresholdStatements(venueId: string): Promise<void> {
  const reason = 'For the statements'
  const threshold = {
    metric: 'TVL_QUOTE',
    subject: { venueId },
    comparator: 'GTE',
    value: '0',
    severity: 'INFO',
  }
  const target = { kind: 'EMAIL', address: 'liquidity@example.com' }
  const channel = await callOperation<{ id: string }>(owner, 'createAlertChannel', {
    body: { payload: { label: 'Threshold', target }, reason },
  })
  const rule = await callOperation<{ id: string; resourceVersion: string }>(
    owner,
    'createAlertRule',
    {
      body: {
        payload: {
          name: 'Threshold',
          threshold,
          forSeconds: 0,
          channels: [channel.data.id],
          repeatSeconds: 3600,
        },
        reason,
      },
    },
  )
  await sweepAlerts(service.services)
  await sweepAlerts(service.services)
  await callOperation(owner, 'listAlertRuleFirings', { params: { id: rule.data.id } })
  await callOperation(owner, 'previewAlertRule', { body: { threshold, forSeconds: 0 } })
  await callOperation(owner, 'testAlertChannel', {
    params: { id: channel.data.id },
    body: { reason },
  })
  await callOperation(owner, 'supersedeAlertRule', {
    params: { id: rule.data.id },
    ifMatch: rule.data.resourceVersion,
    body: { status: 'PAUSED', reason },
  })
}

async function packages(): Promise<void> {
  const { spec } = contract.createStrategyPackageCandidate.example.body.payload.twin
  const twin = await owner.client.runNonCustodialSandboxStudy({
    body: { payload: substituted(spec), reason: 'The claim of the package' } as never,
  })
  stands.set(`0x${'3'.repeat(64)}`, twin.body.data.result.resultHash)
  const { id, resourceVersion: ifMatch } = (await example('createStrategyPackageCandidate')).data
  const params = { id }
  await example('listStrategyPackages')
  await example('getStrategyPackages', { params })
  await example('approveStrategyPackage', { params, ifMatch })
  await example('seedStrategyFromApprovedPackage', { params })
  await revokeExample('revokeStrategyPackage', 'getStrategyPackages', id)
}

/** Of the tokens of the venue, by which they are known. */
async function assumptions(): Promise<void> {
  const { id, resourceVersion } = (await example('createTreasuryAssumptions')).data
  const params = { id }
  await example('reviseTreasuryAssumptions', { params, ifMatch: resourceVersion })
  await example('listTreasuryAssumptions')
  await example('getTreasuryAssumptions', { params })
  await example('listTreasuryAssumptionsVersions', { params })
  await example('getTreasuryAssumptionsVersion', { params: { id, sequence: 1 } })
}

async function ledger(): Promise<void> {
  const { id, resourceVersion } = (await example('createTreasuryEntries')).data
  const params = { id }
  const refreshed = await example('refreshTreasuryLedgerEntry', {
    params,
    ifMatch: resourceVersion,
  })
  await example('listTreasuryEntries')
  await example('getTreasuryEntries', { params })
  await example('listTreasuryLedgerEntryVersions', { params })
  const { resourceVersion: ifMatch } = refreshed.data
  await reconciliation()
  await example('retireTreasuryLedgerEntry', { params, ifMatch })
}

/** Of a holding of the deployer, at the blocks of the preview. */
async function reconciliation(): Promise<void> {
  const [deployer] = chain.accounts
  await owner.client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Reserve',
        purpose: 'RUNWAY_RESERVE',
        asset: `eip155:31337/erc20:${chain.contracts.weth9.toLowerCase()}`,
        container: { kind: 'EOA', chainId: 31_337, address: deployer?.address },
      },
      reason: 'Funded by the sale',
    } as never,
  })
  const { data } = await example('previewTreasuryReconciliation')
  const { computation, reconciliationHash } =
    data as unknown as contract.TreasuryLedgerReconciliation
  const { example: sample } = byId('createTreasuryReconciliation')
  const asOf = computation.snapshot?.chains.map(({ chainId, blockNumber, blockHash }) => ({
    chainId,
    blockNumber,
    blockHash,
  }))
  const body = { ...(sample?.body as object), expectedReconciliationHash: reconciliationHash }
  const kept = await example('createTreasuryReconciliation', {
    body: { ...body, request: { scope: { kind: 'ALL_ACTIVE' }, asOf } },
  })
  const { id, resourceVersion } = kept.data
  const params = { id }
  await example('acknowledgeTreasuryReconciliation', { params, ifMatch: resourceVersion })
  await example('listTreasuryReconciliations')
  await example('getTreasuryReconciliation', { params })
  await example('listTreasuryReconciliationVersions', { params })
  await example('getTreasuryReconciliationVersion', { params: { id, sequence: 1 } })
}

/** Of a token whose roles its deployer has, who signs. */
async function control(): Promise<void> {
  const { token, claimant } = contract.issueProjectControlChallenge.example.body
  const [admin] = chain.accounts
  stands.set(token, await deployRoleToken(chain, 'TOKEN'))
  stands.set(claimant, admin!.address)
  await chain.mine(3)
  const issued = await example('issueProjectControlChallenge')
  const { nonce, message } = issued.data as unknown as contract.ProjectControlChallengeView
  await example('getProjectControlChallenge', { params: { nonce } })
  const signature = await admin!.signMessage({ message: message ?? '' })
  const { reason } = contract.acceptProjectControlProof.example.body
  const accepted = await example('acceptProjectControlProof', {
    body: { nonce, signature, reason },
  })
  const { id } = accepted.data.proof as { id: string }
  await callOperation(owner, 'getProjectControlProof', { params: { id } })
}

/** Of a custodian of this organization, signed by a key of the run. */
async function custody(): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { statement: custodyStatement, signature } =
    contract.admitTreasuryCustodyEvidence.example.body
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('base64')
  const payload = {
    providerId: custodyStatement.controller,
    kind: 'CUSTODIAN',
    displayName: 'Custodian',
    configuration: {},
    publicKeys: [raw],
  }
  const reason = 'Keeps the reserve'
  await owner.client.putOperatingSystemProvider({ body: { payload, reason } as never })
  const { evidenceId, container, controller, relation, holdings } = custodyStatement
  const statement = statementOf(service, owner, {
    evidenceId,
    container,
    controller,
    relation,
    holdings: [...holdings],
  })
  const text = sign(null, custodianBytes(statement), privateKey).toString('base64')
  await example('admitTreasuryCustodyEvidence', {
    body: { statement, signature: { ...signature, signature: text }, reason },
  })
  await example('listTreasuryCustodyEvidence')
  await example('getTreasuryCustodyEvidence', { params: { evidenceId } })
}

/** Of a Safe that keeps wrapped coins for the venue, and has sent some of them away. */
async function vaults(): Promise<void> {
  const [deployer, one, two] = chain.accounts as [HDAccount, HDAccount, HDAccount]
  const { weth9 } = chain.contracts
  const signers = [one, two]
  const safe = await createSafe(chain, {
    owners: signers.map(({ address }) => address),
    threshold: 2,
    saltNonce: 77n,
  })
  await chain.send({ from: deployer.address, to: weth9, data: '0xd0e30db0', value: 10n })
  const pay = (to: Address, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await chain.send({ from: deployer.address, to: weth9, data: pay(safe, 10n) })
  const call = { to: weth9, value: 0n, data: pay(deployer.address, 4n), operation: 0, nonce: 0n }
  const signatures = await signSafeTransaction(31_337, safe, call as SafeTransaction, signers)
  const data = safeExecutionData(call as SafeTransaction, signatures)
  await chain.send({ from: deployer.address, to: safe, data })
  await chain.mine(3)
  const { body } = await owner.client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Depth of the venue',
        purpose: 'LIQUIDITY_PROGRAM',
        asset: `eip155:31337/erc20:${weth9.toLowerCase()}`,
        container: { kind: 'SAFE', chainId: 31_337, address: safe },
      },
      reason: 'Funded for the venue',
    } as never,
  })
  await owner.client.observeVaults({
    body: { payload: { entryId: body.data.id }, reason: 'For the example' },
  } as never)
  const vault = await until('the vault has appeared', async () => {
    const found = (await example('listQualifiedVaultsV2')).data as unknown as Answer['data'][]
    return found[0]
  })
  await example('getQualifiedVaultV2', { params: { id: vault.id } })
  const [receipt] = (await example('listExecutionReceiptsV2')).data as unknown as Answer['data'][]
  await example('getExecutionReceiptV2', { params: { id: receipt!.id } })
  stands.set('vault_example', vault.id)
}

/** Of the vault, which nothing but advice is asked for. */
async function policies(): Promise<void> {
  const { id, resourceVersion } = (await example('createAutonomyPolicies')).data
  await example('listAutonomyPolicies')
  await example('getAutonomyPolicies', { params: { id } })
  await example('supersedeAutonomyPolicies', { params: { id }, ifMatch: resourceVersion })
  await example('createPolicyIntentDrafts')
  const structured = await example('createStructuredPolicyIntentDraft')
  const draft = structured.data.draft as Answer['data']
  const params = { id: draft.id }
  await example('listPolicyIntentDrafts')
  await example('getPolicyIntentDrafts', { params })
  await example('compilePolicyIntent', { params, ifMatch: draft.resourceVersion })
  await example('checkAutonomyPolicy')
}

/** Of the Safe of the vault, once it is qualified; its owners execute what the only member has approved. */
async function packets(): Promise<void> {
  const [before] = (await example('listQualifiedVaultsV2')).data as unknown as Answer['data'][]
  const { safeAddress, ledgerEntries } = before!.payload as contract.QualifiedVault
  const safe = safeAddress as Address
  stands.set('0x8ba1f109551bD432803012645Ac136ddd64DBA72', safe)
  const entryId = ledgerEntries[0]!.id
  await proveControl({ chain } as TestChain, { owner, safe, entryId })
  await owner.client.observeVaults({
    body: { payload: { entryId }, reason: 'For the example' },
  } as never)
  await until('the vault is qualified', async () => {
    const found = (await example('listQualifiedVaultsV2')).data as unknown as Answer['data'][]
    return found[0]?.status === 'ACTIVE'
  })
  const { id } = (await example('createProposals')).data
  const params = { id }
  const second = await owner.client.createProposals({
    body: substituted(contract.createProposals.example.body) as never,
  })
  await example('listProposals')
  const { resourceVersion } = (await example('getProposals', { params })).data
  stands.set('proposal_first_example', id)
  stands.set(`0x${'aa'.repeat(32)}`, resourceVersion)
  stands.set('proposal_second_example', second.body.data.id)
  stands.set(`0x${'bb'.repeat(32)}`, second.body.data.resourceVersion)
  await example('compareProposals')
  const ifMatch = resourceVersion
  await example('appendProposalComment', { params, ifMatch })
  await example('listProposalComments', { params })
  const review = await example('getProposalWorkspaceReview', {
    params,
    query: { resourceVersion },
  })
  stands.set(`0x${'7'.repeat(64)}`, review.data.reviewEvidenceHash as string)
  const decided = await example('decideProposal', { params, ifMatch })
  const proposal = decided.data.proposal as unknown as Proposal
  const transactionHash = await executedPacket(safe, proposal)
  stands.set(`0x${'8'.repeat(64)}`, transactionHash)
  await example('registerProposalSafeSubmission', {
    params,
    ifMatch: proposal.resourceVersion,
  })
}

async function executedPacket(safe: Address, proposal: Proposal): Promise<string> {
  const signers = chain.accounts.slice(1, 3) as HDAccount[]
  const transaction = safeTransactionOf(proposal)
  const signatures = await signSafeTransaction(31_337, safe, transaction, signers)
  const data = safeExecutionData(transaction, signatures)
  const from = chain.accounts[0]!.address
  const { transactionHash } = await chain.send({ from, to: safe, data })
  await chain.mine(3)
  return transactionHash
}

/** Of the vault under a policy of level 2, with a maker that is a key, the venue, and a price that a feed tells. */
async function execution(): Promise<void> {
  const maker = chain.accounts[5] as HDAccount
  const { weth9, swapRouter } = chain.contracts
  const settlement = contract.createProtectedExecutionQuoteRequest.example.body.payload
    .settlementContract as Address
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [settlement, 10n ** 20n],
  })
  await chain.send({ from: maker.address, to: weth9, data: '0xd0e30db0', value: 10n ** 18n })
  await chain.send({ from: maker.address, to: weth9, data: approve })
  await publishPrice()
  await observeNow()
  const policy = await levelTwo([swapRouter])
  const requested = await example('createProtectedExecutionQuoteRequest')
  const request = requested as unknown as { data: QuoteRequest }
  const quote = await rfqQuote(
    { chain } as TestChain,
    service,
    { keyMaker: maker.address } as ExecutionDesk,
    request.data,
    {
      signedAs: {
        sellAmount: '1000000000000000',
        minimumFillSellAmount: '1',
        buyAmount: '3600000000000',
      },
    },
  )
  const params = { id: request.data.id }
  await example('admitProtectedExecutionQuotesForRequest', {
    params,
    body: { payload: { quotes: [quote] }, reason: 'Transaction of the desk' },
  })
  const venue = substituted(contract.admitProtectedExecutionQuoteSet.example.body.payload.pools)
  const { reason } = contract.admitProtectedExecutionQuoteSet.example.body
  const set = await example('admitProtectedExecutionQuoteSet', {
    body: { payload: { request: refOf(request.data), pools: venue }, reason },
  })
  await example('listQuoteSets')
  await example('getQuoteSets', { params: { id: set.data.id } })
  const exampleBody = contract.prepareProtectedExecutionPlan.example.body
  const plan = await example('prepareProtectedExecutionPlan', {
    body: {
      payload: {
        quoteSet: refOf(set.data),
        policy: refOf(policy),
        constraints: { ...exampleBody.payload.constraints, deadline: isoIn(service, 3_600) },
      },
      reason: exampleBody.reason,
    },
  })
  expect(plan.data.status).toBe('ACTIVE')
  await example('listProtectedExecutionPlans')
  await example('getProtectedExecutionPlans', { params: { id: plan.data.id } })
  await example('getProtectedExecutionPlanState', { params: { id: plan.data.id } })
  const moved = contract.appendProtectedExecutionLegTransition.example.body
  await example('appendProtectedExecutionLegTransition', {
    params: { id: plan.data.id },
    body: {
      ...moved,
      previousTransitionHash: (plan.data as unknown as { artifactHash: string }).artifactHash,
      resourceVersion: plan.data.resourceVersion,
    },
  })
}

/** A policy under which the vault may trade its two tokens. */
async function levelTwo(contracts: readonly string[]): Promise<Answer['data']> {
  const [activePolicy] = (await owner.client.listAutonomyPolicies()).body.data
  const [vault] = (await owner.client.listQualifiedVaultsV2()).body.data
  const { base, quote } = vault!.payload.pair
  const response = await callOperation<Answer['data']>(owner, 'createAutonomyPolicies', {
    body: {
      payload: {
        ...contract.createAutonomyPolicies.example.body.payload,
        vaultId: vault!.id,
        level: 2,
        approvedContracts: contracts,
        approvedAssets: [base, quote],
        approvedAdapterIds: ['erc20-allowance', 'uniswap-v3-swap-router'],
        maximumSlippagePips: 20_000,
        oracleMaximumAgeSeconds: 3_600,
        minimumSecondsBetweenActions: 0,
      },
      reason: 'Prepared trades, each under its own packet',
    },
    ifMatch: activePolicy!.resourceVersion,
  })
  expect(response.status).toBe(201)
  return response.data
}

/** Lets a feed say what the base is worth in the quote. */
async function publishPrice(): Promise<void> {
  const [venue] = (await owner.client.listVenues()).body.data
  const { base, quote } = venue!.payload.pair
  const now = () => Math.floor(service.clock.read() / 1000)
  prices.answer = ({ searchParams }) =>
    candlesOf(searchParams, { grid: 300, now: now(), closeAt: () => '0.003642' })
  const key = (token: string) => `eip155:31337/erc20:${token.toLowerCase()}`
  const feed = {
    feed: 'base-quote',
    kind: 'CANDLE',
    exchange: 'kraken',
    symbol: 'ONE/TWO',
    timeframe: '5m',
    since: new Date((now() - (now() % 86_400)) * 1000).toISOString(),
    base: key(base),
    baseDecimals: 18,
    quote: key(quote),
    quoteDecimals: 18,
  }
  const payload = {
    providerId: 'exchange',
    kind: 'MARKET_DATA',
    displayName: 'Exchange',
    endpoint: `${prices.url}/v1`,
    configuration: { shape: 'CCXT', feeds: [feed] },
  }
  await owner.client.putOperatingSystemProvider({ body: { payload, reason: 'Prices' } as never })
  service.clock.advance(4_000_000)
  await queueDue(service.services)
  await until('the feed was read', async () => {
    const { data } = (await owner.client.listOperatingSystemJobs()).body
    return data.some(({ kind, status }) => kind === 'FEED_PULL' && status === 'COMPLETED')
  })
}

/** Brings the chain to the present and reads the vault there. */
async function observeNow(): Promise<void> {
  const timestamp = BigInt(Math.floor(service.clock.read() / 1000) - 600)
  await chain.testClient.setNextBlockTimestamp({ timestamp })
  await chain.mine(4)
  const entries = (await owner.client.listTreasuryEntries()).body.data
  const held = entries.find(({ payload }) => payload.label === 'Depth of the venue')
  const { body } = await owner.client.observeVaults({
    body: { payload: { entryId: held!.id }, reason: 'For the example' },
  } as never)
  await until('the vault has been read', async () => {
    const { data } = (await owner.client.listOperatingSystemJobs()).body
    return data.some(({ id, finishedAt }) => id === body.data.id && finishedAt)
  })
}

/** Of a market that traded for a morning, which has a chain and a service of its own. */
async function passports(): Promise<void> {
  const scene = await startPassportScene()
  try {
    const by = scene.owner.options
    const payload = signPassport({ ...(await draft(scene)) }, scene.key)
    const published = await example(
      'publishLiquidityPassport',
      { body: { payload, reason: 'Published for the holders' } },
      by,
    )
    const { passport, reportJob } = published.data as unknown as Published
    await settled(scene, reportJob.id)
    await example('listPassports', {}, by)
    await example('getPassports', { params: { id: passport.id } }, by)
    const params = { slug: passport.payload.slug }
    await example('getPublicLiquidityPassport', { params }, by)
    await bytesExample('downloadPublicLiquidityPassport', { ...params, format: 'pdf' }, by)
    await bytesExample('downloadLiquidityPassportVerificationBundle', params, by)
    const { contentHash } = passport.payload
    await example(
      'revokeLiquidityPassport',
      {
        params: { id: passport.id },
        ifMatch: passport.resourceVersion,
        body: { contentHash, code: 'ISSUER_REQUEST', reason: 'A new passport replaces it' },
      },
      by,
    )
  } finally {
    await stopPassportScene(scene)
  }
}

/** What answers with bytes has no example in the document. */
async function bytesExample(
  id: string,
  params: Record<string, string>,
  options: ClientOptions,
): Promise<void> {
  const answer = await send({ ...options, fetch: conformingFetch }, byId(id), { params })
  expect([id, answer.status]).toEqual([id, 200])
  await answer.arrayBuffer()
  answers[id] = null
}

/** Of wrapped coins of an account, in the assumptions as they were revised. */
async function projections(): Promise<void> {
  const holder = chain.accounts[0]!.address
  // deposit() of the wrapped coin.
  const deposit = {
    to: chain.contracts.weth9,
    data: '0xd0e30db0',
    value: 300n * 10n ** 18n,
  } as const
  await chain.send({ from: holder, ...deposit })
  await chain.mine(3)
  const [set] = (await example('listTreasuryAssumptions')).data as unknown as Answer['data'][]
  const { id, resourceVersion } = set!
  const written = await example('createTreasuryProjection', {
    body: {
      assumptions: { resourceType: 'TreasuryAssumptions', id, resourceVersion },
      monteCarlo: { paths: 500, seed: '42' },
      reason: 'Before the board meeting',
    },
  })
  const projection = written.data.projection as Answer['data']
  await example('listTreasuryProjections')
  await example('getTreasuryProjection', { params: { id: projection.id } })
  await example('getTreasurySummary')
}

async function capital(): Promise<void> {
  const { id } = (await example('createCapitalRequirements')).data
  await example('listCapitalRequirements')
  await example('getCapitalRequirements', { params: { id } })
  await reservation()
}

/** Of wrapped coins of the deployer, for a study of theirs. */
async function reservation(): Promise<void> {
  const { body } = contract.createCapitalRequirements.example
  const token = `eip155:31337/erc20:${chain.contracts.weth9.toLowerCase()}`
  const reference = { kind: 'DECLARED', priceX18: '2000000000000000000' }
  const { data: study } = await callOperation<Answer['data']>(owner, 'createCapitalRequirements', {
    body: { ...body, payload: { ...body.payload, token, quote: 'iso4217:USD', reference } },
  })
  const entries = (await example('listTreasuryEntries')).data as unknown as Answer['data'][]
  const held = entries.find(({ payload }) => (payload as { asset?: string }).asset === token)
  const { reservations, purpose, reason } = contract.reserveTreasuryFromCapitalStudy.example.body
  const { id, resourceType, resourceVersion } = held!
  const [one] = reservations
  await example('reserveTreasuryFromCapitalStudy', {
    params: { id: study.id },
    body: {
      studyResourceVersion: study.resourceVersion,
      purpose,
      reason,
      reservations: [{ ...one, entry: { id, resourceType, resourceVersion } }],
    },
  })
}

/** Of a treasury that holds the token of the venue, which its scenarios concern. */
async function stress(): Promise<void> {
  const { base } = substituted(contract.createVenues.example.body.payload.pair)
  await owner.client.createTreasuryEntries({
    body: {
      payload: {
        entryKind: 'ASSET',
        label: 'Own token',
        purpose: 'RUNWAY_RESERVE',
        asset: `eip155:31337/erc20:${base.toLowerCase()}`,
        container: { kind: 'EOA', chainId: 31_337, address: chain.accounts[0]!.address },
      },
      reason: 'What the issuer has of it',
    } as never,
  })
  const { id } = (await example('createTreasuryStressTests')).data
  await example('listTreasuryStressTests')
  await example('getTreasuryStressTests', { params: { id } })
}

async function unlocks(): Promise<void> {
  const { id } = (await example('createUnlockImpacts')).data
  await example('listUnlockImpacts')
  await example('getUnlockImpacts', { params: { id } })
}

async function mandates(): Promise<void> {
  const { id, resourceVersion } = (await example('createMarketMakerMandates')).data
  await example('listMarketMakerMandates')
  await example('getMarketMakerMandates', { params: { id } })
  await example('ingestMarketMakerEvidence', { params: { id } })
  await example('listMarketMakerEvidence', { params: { id } })
  await example('supersedeMarketMakerMandates', { params: { id }, ifMatch: resourceVersion })
}

/** A launch at the venue of the examples, whose depth is small enough for its caps. */
async function launches(): Promise<void> {
  const [venue] = (await example('listVenues')).data as unknown as { id: string }[]
  const { payload, reason } = substituted(contract.createCapitalRequirements.example.body)
  const { pair } = substituted(contract.createVenues.example.body.payload)
  const keyOf = (token: string) => `eip155:${pair.chainId}/erc20:${token.toLowerCase()}`
  const [token, quote] = [keyOf(pair.base), keyOf(pair.quote)]
  const targets = [{ side: 'BOTH', movePips: 20_000, depthQuote: `${10n ** 15n}` }]
  const study = (
    await example('createCapitalRequirements', {
      body: { payload: { ...payload, token, quote, targets }, reason },
    })
  ).data as unknown as Study
  const { id, resourceType, resourceVersion } = study
  const request = substituted(contract.createLaunchPlans.example.body)
  const capitalRequirement = { resourceType, id, resourceVersion }
  const plan = (
    await example('createLaunchPlans', {
      body: {
        ...request,
        payload: { ...request.payload, token, quote, capitalRequirement, venueId: venue!.id },
      },
    })
  ).data
  const params = { id: plan.id }
  await example('listLaunchPlans')
  await example('getLaunchPlans', { params })
  const headOf = async () =>
    (await example('getLaunchTimeline', { params })).data as unknown as contract.LaunchTimeline
  const ifMatch = (await headOf()).head
  await example('appendLaunchTimelineEvent', { params, ifMatch })
  const { head, events } = await headOf()
  await example('completeLaunchTimelineEvent', {
    params: { ...params, eventId: events[0]!.eventId },
    ifMatch: head,
  })
  await headOf()
  await example('seedLaunchWorkspace', { params, ifMatch: plan.resourceVersion })
  await example('seedLaunchPlanFromCapitalStudy', { params: { id }, ifMatch: resourceVersion })
}

async function intents(): Promise<void> {
  const intent = (await example('createIntents')).data.intent as Answer['data']
  const params = { id: intent.id }
  await example('supersedeIntents', { params, ifMatch: intent.resourceVersion })
  await example('listIntents')
  await example('getIntents', { params })
  const { id, resourceVersion } = (await example('createCapitalRequirements')).data
  await example('seedIssuerIntentFromCapitalStudy', { params: { id }, ifMatch: resourceVersion })
}

/** A decision on the study of capital, by one who may decide alone. */
async function decisions(): Promise<void> {
  const [study] = (await example('listCapitalRequirements')).data as unknown as Study[]
  const { id, resourceVersion, payload: computed } = study!
  const source = { resourceType: 'CapitalRequirementStudy', id, resourceVersion }
  const { payload, reason } = substituted(contract.createDecisionPack.example.body)
  const [quiet, act] = payload.options
  const [metric] = act.metrics
  const bound = { ...metric, value: computed.base!.quote, source }
  const options = [quiet, { ...act, metrics: [bound] }]
  const body = {
    payload: { ...payload, options, quorum: { approvals: 1, roles: ['OWNER'] } },
    reason,
  }
  const pack = (await example('createDecisionPack', { body })).data
  const params = { packId: pack.id }
  await example('listDecisionPacks')
  await example('listDecisionPackVersions', { params })
  await example('getDecisionPackVersion', { params: { ...params, sequence: 1 } })
  await example('applyDecisionPackCommand', { params, ifMatch: pack.resourceVersion })
  await example('getDecisionPack', { params })
  const [projection] = (await example('listTreasuryProjections')).data as unknown as Study[]
  await example('createDecisionPackFromTreasury', {
    body: {
      ...substituted(contract.createDecisionPackFromTreasury.example.body),
      projection: {
        resourceType: 'TreasuryProjection',
        id: projection!.id,
        resourceVersion: projection!.resourceVersion,
      },
      capitalRequirement: source,
    },
  })
}

/** Research from its question to a pack, and a second run that is given up. */
async function research(): Promise<void> {
  const settled = async (runId: string) =>
    until('the run rests', async () => {
      const { data } = await callOperation<Run>(owner, 'getAgentRun', { params: { runId } })
      return data.status === 'PAUSED' || data.payload.report ? data : null
    })
  const given = (await example('startHealthAgentRun')).data
  await settled(given.id)
  await example('applyAgentRunCommand', { params: { runId: given.id } })
  const begun = await callOperation<Run>(owner, 'startHealthAgentRun', {
    body: substituted(contract.startHealthAgentRun.example.body),
  })
  const params = { runId: begun.data.id }
  const { payload } = await settled(params.runId)
  await callOperation(owner, 'applyAgentRunCommand', {
    params,
    body: {
      command: 'APPROVE_PLAN',
      expectedPhase: 'AWAITING_APPROVAL',
      arguments: { protocolHash: payload.plan?.protocolHash },
      reason: 'For the example',
    },
  })
  const run = await until('the research ends', async () => {
    const { data } = await callOperation<Run>(owner, 'getAgentRun', { params })
    return data.payload.report ? data : null
  })
  await example('listAgentRuns')
  await example('getAgentRun', { params })
  await example('listAgentRunEvents', { params })
  await example('getResearchPlanning', { params })
  await example('getResearchProgress', { params })
  await example('getResearchTrialInput', { params: { ...params, trialKey: 'alternative-1' } })
  await example('getAgentRunResult', { params })
  const evidenceId = run.payload.capture?.items[0]?.evidenceId ?? ''
  await example('getAgentRunEvidence', { params: { ...params, evidenceId } })
  const { id, resourceType, resourceVersion } = run
  await example('createDecisionPackFromResearch', {
    body: {
      ...substituted(contract.createDecisionPackFromResearch.example.body),
      run: { id, resourceType, resourceVersion },
    },
  })
}

async function attribution(): Promise<void> {
  const { pair } = contract.createVenues.example.body.payload
  const [trader] = chain.accounts
  const order = {
    tokenIn: substituted(pair.quote),
    tokenOut: substituted(pair.base),
    fee: 3000,
    recipient: trader!.address,
    deadline: 10n ** 12n,
    amountIn: 10n ** 16n,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  }
  const { transactionHash } = await chain.send({
    from: trader!.address,
    to: chain.contracts.swapRouter,
    value: order.amountIn,
    data: encodeFunctionData({
      abi: swapRouterAbi,
      functionName: 'exactInputSingle',
      args: [order],
    }),
  })
  await chain.mine(40)
  stands.set(`0x${'6'.repeat(64)}`, transactionHash)
  const { id } = (await example('createAttributions')).data
  await example('listAttributions')
  await example('getAttributions', { params: { id } })
}

/** A position of the pool, of an account that nothing else uses, moved into a narrower range. */
async function migration(): Promise<void> {
  const { address: wallet } = chain.accounts[7]!
  const { positionManager, swapRouter } = chain.contracts
  const [pool, base] = [
    '0x92560C178cE069CC014138eD3C2F5221Ba71f58a',
    '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
  ]
  const made = await positionForExample(chain, {
    wallet,
    pool: stands.get(pool)!,
    base: stands.get(base)!,
  })
  stands.set('0x00000000000000000000000000000000000A11cE', wallet)
  stands.set('0xC36442b4a4522E871399CD717aBDD847Ab11FE88', positionManager)
  stands.set('0xE592427A0AEce92De3Edee1F18E0157C05861564', swapRouter)
  for (const [placeholder, real] of Object.entries(made)) stands.set(placeholder, real)
  const plan = await example('createMigrationPlans')
  const params = { id: plan.data.id }
  await example('listMigrationPlans')
  await example('getMigrationPlans', { params })
  // The chain of the example began long before the clock of the service.
  await chain.testClient.setNextBlockTimestamp({
    timestamp: BigInt(Math.floor(service.clock.read() / 1000)),
  })
  await chain.mine(4)
  await example('appendMigrationPlanTransition', { params, ifMatch: plan.data.resourceVersion })
  await example('getMigrationPlanState', { params })
}

/** On a chain of its own, since a baseline is four weeks of history. */
async function incentives(): Promise<void> {
  const member = await newOrganization(service, 'Organization with rewards')
  const venues = await rewardedVenues(service, member, rewards)
  const body = { payload: programRequest(rewards, venues), reason: 'What would rewards buy?' }
  const optimized = await example('optimizeIncentiveProgram', { body }, member.options)
  const { id, resourceVersion } = optimized.data.program as Answer['data']
  const params = { id }
  await example('listIncentivePrograms', {}, member.options)
  await example('getIncentivePrograms', { params }, member.options)
  await example('getIncentiveEvidence', { params, query: { resourceVersion } }, member.options)
  const revoked = { params, ifMatch: resourceVersion }
  await example('supersedeIncentivePrograms', revoked, member.options)
}

async function shares(studyId: string): Promise<void> {
  const share = await example('createStudyShareLink', { params: { id: studyId } })
  const { slug } = share.data.payload as { slug: string }
  await example('listStudyShares')
  await example('getStudyShares', { params: { id: share.data.id } })
  const { auth: _, organizationId: __, ...anonymous } = owner.options
  await example('getSharedSimulationStudy', { params: { slug } }, anonymous)
  await revokeExample('revokeStudyShareLink', 'getStudyShares', share.data.id)
}

function writeExamples(): void {
  const kept = { ...answers }
  for (const id of Object.keys(kept)) if (byId(id).response?.wrap === 'bytes') delete kept[id]
  // The document is not an example of itself.
  delete kept.getOperatingSystemOpenApi
  const folder = new URL('../../../../packages/contract/examples/responses.json', import.meta.url)
  writeFileSync(fileURLToPath(folder), `${JSON.stringify(thinned(kept), null, 2)}\n`)
}

/** Long lists are cut, so that the document stays readable; what is left still fits its schema. */
function thinned(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(thinned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, thinned(member)]))
}

it('names the created record or job in each response 201, at a path that can be read', () => {
  const without = [...locations].flatMap(([id, path]) => (path === null ? [id] : []))
  expect(without.sort()).toEqual(withoutLocation)
  const readable = [...operations, ...extensionOperations]
    .filter(({ method, path }) => method === 'GET' && /^[^{]+\/\{\w+\}$/.test(path))
    .map(({ path }) => `${basePath}${path.replace(/\{\w+\}$/, '')}`)
  const unread = [...locations].filter(([id, path]) => {
    if (path === null) return false
    const folder = path.slice(0, path.lastIndexOf('/') + 1)
    const isNamed = JSON.stringify(answers[id]).includes(path.slice(folder.length))
    return !readable.includes(folder) || !isNamed
  })
  expect(unread).toEqual([])
  expect(locations.size - without.length).toBeGreaterThan(40)
})

it('shows a response example for every operation that answers with a body', () => {
  const shown = operations
    .filter(({ success }) => !success.includes(204))
    .filter(({ id }) => id !== 'getOperatingSystemOpenApi')
    .filter(({ response }) => response?.wrap !== 'bytes')
    .map(({ id }) => id)
  expect(
    Object.keys(responseExamples)
      .filter((id) => id !== 'removeSavedPlatformProject')
      .sort(),
  ).toEqual(shown.sort())
})
