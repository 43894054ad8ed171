import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { sql } from '../../src/store/database/sql.ts'
import { dayMilliseconds } from '../../src/units.ts'
import { verifyHistory } from '../../src/whole-history.ts'
import { hostOf, startTestChain, type TestChain } from './chain.ts'
import { catchUp } from './custody.ts'
import { startPartnerWorld } from './partner-world.ts'
import { boundHost, configuration, type Partner, type PartnerScene } from './partnering.ts'
import { type Desk, type Proposal, startDesk, transferData } from './proposing.ts'
import { callOperation, type TestResponse, versionOf } from './requests.ts'
import { newOrganization, startTestService, type TestMember, type TestService } from './service.ts'

export type Consent = VersionedRecord<contract.PartnerConsent>
export type Preparation = VersionedRecord<contract.PartnerPreparation>
export type Inboxed = Preparation & { preview: contract.PartnerPreparationPreview | null }
export interface Submitted {
  readonly eventId: string
  readonly receipt: contract.PartnerPreparationReceipt
}
export interface Context {
  readonly vaults: readonly {
    readonly consent: { id: string; resourceVersion: string }
    readonly consentExpiresAt: string
    readonly context: contract.PartnerVaultContext
    readonly contextHash: string
  }[]
  readonly isWhole: boolean
}
export interface Status {
  readonly state: string
  readonly phase: string | null
  readonly visibleReason: string | null
  readonly settledAt: string | null
}

const reason = 'For the test'

/** An ACTIVE partner with all offers, on a new host. */
export async function newPartner(scene: PartnerScene, by: TestMember): Promise<Partner> {
  const host = scene.hosts.shift()
  if (host === undefined) throw new Error('The certificate names no further host.')
  const bound = await boundHost(scene, by, host)
  const response = await callOperation<Partner>(by, 'createVerifiedPartnerTenant', {
    body: configuration(bound, { offers: contract.consentScopes }),
  })
  if (response.status !== 201)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}

/** Grants scopes of vaults to a partner for thirty days. */
export const grant = (
  { clock }: Pick<TestService, 'clock'>,
  by: TestMember,
  { id, resourceVersion, payload }: Partner,
  terms: { vaultIds: readonly string[]; scopes?: readonly string[]; expiresAt?: string },
): Promise<TestResponse<Consent>> =>
  callOperation<Consent>(by, 'grantPartnerConsent', {
    body: {
      payload: {
        partnerId: id,
        partnerConfiguration: {
          resourceVersion,
          artifactHash: payload.configurationArtifactHash,
        },
        scopes: ['PROPOSAL_PREPARE'],
        consentTextHash: payload.consentTextHash,
        expiresAt: new Date(clock.read() + 30 * dayMilliseconds).toISOString(),
        purpose: 'The partner looks after our market',
        ...terms,
      },
      reason,
    },
  })

export const endConsent = async (by: TestMember, { id }: { id: string }) =>
  callOperation<Consent>(by, 'revokePartnerConsent', {
    params: { id },
    ifMatch: await versionOf(by, 'getPartnerConsents', id),
    body: { reason },
  })

export const contextOf = async (by: TestMember, { id }: Pick<Partner, 'id'>): Promise<Context> =>
  (await callOperation<Context>(by, 'getPartnerPreparationContext', { params: { partnerId: id } }))
    .data

export const inbox = async (
  by: TestMember,
  query: Record<string, string | number> = {},
): Promise<Inboxed[]> =>
  (await callOperation<Inboxed[]>(by, 'listPartnerPreparations', { query })).data

export const statusOf = (by: TestMember, { id }: Pick<Partner, 'id'>, eventId: string) =>
  callOperation<Status>(by, 'getPartnerPreparationStatus', { params: { partnerId: id, eventId } })

export const decline = (by: TestMember, eventId: string, more: object = {}) =>
  callOperation<Preparation>(by, 'declinePartnerPreparation', {
    params: { eventId },
    body: { reason: 'Not for us', ...more },
  })

/** A chain, a service behind name servers, an issuer with a vault, and two organizations with partners. */
export interface PreparingScene extends PartnerScene {
  readonly test: TestChain
  readonly desk: Desk
  /** Owners of the issuer, of the partner's organization, and of an unrelated organization. */
  issuer: TestMember
  partnerOwner: TestMember
  readonly rival: TestMember
  /** State of the current test. */
  partner: Partner
  consent: Consent
}

export let scene: PreparingScene

/** Starts everything; `scene` is bound when it has started. */
export async function startPreparing(): Promise<void> {
  const test = await startTestChain()
  const hosts = Array.from({ length: 60 }, (_, index) => `host${index}.partner.test`)
  const world = await startPartnerWorld(hosts)
  const allowed = [...world.allowed, hostOf(test.chain.rpcUrl)].join(',')
  const service = await startTestService({ ...world.environment, OUTBOUND_ALLOW: allowed })
  world.leadTo(service.baseUrl)
  await catchUp(test.chain, service)
  const desk = await startDesk(test, service)
  scene = {
    names: world.names,
    mailbox: world.mailbox,
    service,
    hosts,
    test,
    desk,
    issuer: desk.owner,
    partnerOwner: await newOrganization(service, 'Partner'),
    rival: await newOrganization(service, 'Rival'),
    // Bound before every test.
    partner: undefined as never,
    consent: undefined as never,
    stop: async () => {
      await service.stop()
      await world.stop()
      await test.chain.stop()
    },
  }
}

/** A new partner for every test, and a consent of the issuer to it. */
export async function agree(scopes: readonly string[] = ['PROPOSAL_PREPARE']): Promise<void> {
  scene.partner = await newPartner(scene, scene.partnerOwner)
  await agreeAgain(scopes)
}

export async function agreeAgain(scopes: readonly string[] = ['PROPOSAL_PREPARE']): Promise<void> {
  const { service, issuer, partner, desk } = scene
  const granted = await grant(service, issuer, partner, { vaultIds: [desk.vault.id], scopes })
  if (granted.status !== 201) throw new Error(granted.code)
  scene.consent = granted.data
}

export const refusal = ({ status, code }: TestResponse<unknown>) => [status, code]
export const inDays = (days: number) =>
  new Date(scene.service.clock.read() + days * dayMilliseconds).toISOString()
export const someHash = `0x${'9'.repeat(64)}`

export const packetOf = (change: Record<string, unknown> = {}) => {
  const { desk, test } = scene
  const { action, ...more } = change as { action?: object }
  return {
    title: 'Pay the auditor',
    summary: 'As agreed.',
    vaultId: desk.vault.id,
    action: {
      actionType: 'TREASURY_TRANSFER',
      chainId: 31_337,
      safeAddress: desk.safe,
      calls: [
        {
          to: test.markets.tokens[0] as string,
          value: '0',
          data: transferData(test.chain.accounts[9]!.address, 7n).toLowerCase(),
        },
      ],
      ...action,
    },
    ...more,
  }
}

/** Request body of the partner, based on the context it read. */
export async function terms(
  change: Record<string, unknown> = {},
  by = scene.partnerOwner,
  of: Partner = scene.partner,
) {
  const { consent, issuer } = scene
  const [first] = (await contextOf(by, of))?.vaults ?? []
  return {
    issuerOrganizationId: issuer.organizationId,
    consent: first?.consent ?? { id: consent.id, resourceVersion: consent.resourceVersion },
    contextHash: first?.contextHash ?? someHash,
    packet: packetOf(),
    note: 'As agreed in the call',
    expiresAt: inDays(3),
    ...change,
  }
}

export async function prepare(
  change: Record<string, unknown> = {},
  more: { by?: TestMember; of?: Partner; body?: object } = {},
): Promise<TestResponse<Submitted>> {
  const { by = scene.partnerOwner, of = scene.partner, body } = more
  const payload = await terms(change, by, of)
  return callOperation<Submitted>(by, 'preparePartnerProposal', {
    params: { partnerId: of.id },
    body: { payload, reason, ...body },
  })
}

export async function prepared(change: Record<string, unknown> = {}): Promise<Submitted> {
  const response = await prepare(change)
  if (response.status !== 201)
    throw new Error(`${response.code} ${JSON.stringify(response.fieldErrors)}`)
  return response.data
}

/** Imports what was prepared; `change` makes it another or a wrong request. */
export const bring = (
  { eventId, receipt }: Submitted,
  change: object = {},
  by = scene.issuer,
): Promise<TestResponse<Proposal>> =>
  callOperation<Proposal>(by, 'importPartnerPreparation', {
    params: { eventId },
    body: {
      review: { required: 2, expiresAt: inDays(3) },
      expectedPacketHash: receipt.packetHash,
      reason: 'Matches our request',
      ...change,
    },
  })

export const inboxed = async (eventId: string): Promise<Inboxed | undefined> =>
  (await inbox(scene.issuer, { partnerId: scene.partner.id })).find(({ id }) => id === eventId)

/** The state of a preparation as the issuer and as the partner see it. */
export async function stateOf(eventId: string): Promise<(string | undefined)[]> {
  const theirs = await statusOf(scene.partnerOwner, scene.partner, eventId)
  return [(await inboxed(eventId))?.payload.state, theirs.data.state]
}

/** Kinds of the events of a record of an organization. */
export async function kindsOf(
  { organizationId }: TestMember,
  subjectId: string,
): Promise<string[]> {
  const [rows = []] = await scene.service.database.tenant(organizationId, [
    sql`select kind from events where organization_id = ${organizationId}
      and subject_id = ${subjectId} order by sequence`,
  ])
  return rows.map(({ kind }) => String(kind))
}

/** ID of a preparation in the partner's organization. */
export const withPartner = (eventId: string) =>
  eventId.replace('partner_preparation', 'partner_submission')

/** How many versions of records of an organization have a text in them. */
export async function mentions({ organizationId }: TestMember, needle: string): Promise<number> {
  const [rows = []] = await scene.service.database.tenant(organizationId, [
    sql`select id from records where organization_id = ${organizationId}
      and strpos(body, ${needle}) > 0`,
  ])
  return rows.length
}

/** That the histories of all three organizations verify. */
export async function faultsOfHistories(): Promise<unknown[]> {
  const { service, issuer, partnerOwner, rival } = scene
  const found = []
  for (const { organizationId } of [issuer, partnerOwner, rival]) {
    const { faults } = await verifyHistory(
      service.database,
      organizationId,
      service.services.artifacts,
    )
    found.push(...faults)
  }
  return found
}
