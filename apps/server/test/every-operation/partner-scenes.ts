import type { contract } from '@liquidity-os/contract'
import { partners } from '../../src/families/platform/partners/records.ts'
import { vaults } from '../../src/families/prove/vaults/records.ts'
import { sql } from '../../src/store/database/sql.ts'
import { TenantRecords } from '../../src/store/records/tenant-records.ts'
import type { Partner } from '../support/partnering.ts'
import { type Consent, type Context, grant, type Submitted } from '../support/preparing.ts'
import { callOperation } from '../support/requests.ts'
import type { TestMember, TestService } from '../support/service.ts'
import type { Scene } from './scene.ts'

function recordsOf({ organizationId }: TestMember, service: TestService) {
  const { database, verified, artifacts, clock } = service.services
  const actor = { kind: 'SYSTEM', id: 'test' } as const
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

const reason = 'For the walk'
const hash = `0x${'ab'.repeat(32)}`
const [safe, base, quote] = [
  ...['0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', '0x8ba1f109551bD432803012645Ac136ddd64DBA72'],
  '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
] as const
const pair = { chainId: 31_337, base, quote, baseDecimals: 18, quoteDecimals: 18 }

/** A partner as the records say it: that a host is proven is shown by the scenes of hosts. */
async function aPartner(owner: TestMember, service: TestService): Promise<Partner> {
  const { committer } = service.services
  const { organizationId } = owner
  const partner = partners.first(recordsOf(owner, service), {
    status: 'ACTIVE',
    reason,
    event: 'partner.created',
    payload: configuration,
  })
  // A host belongs to one organization. All records name the same host, so that they can be
  // compared.
  const host = `${organizationId.toLowerCase()}.partner.example`
  const row = sql`insert into partner_hosts (host, skeleton, held_by, challenge_id, partner_id)
    values (${host}, ${host}, ${organizationId}, 'none', ${partner.sealed.record.id})`
  await committer.commit({ ...partner.change, statements: [row] })
  return partner.sealed.record as unknown as Partner
}

/** A vault as the records say it. */
async function aVault(owner: TestMember, service: TestService) {
  const snapshot = { chainId: 31_337, number: 9, hash, timestamp: '2026-01-05T11:59:00.000Z' }
  const { change, sealed } = vaults.first(recordsOf(owner, service), {
    status: 'ACTIVE',
    reason,
    event: 'vault.snapshot',
    payload: {
      chainId: 31_337,
      safeAddress: safe,
      qualification: 'QUALIFIED',
      controlEpoch: '1',
      pair,
      snapshot,
      ledgerEntries: [],
    } as unknown as contract.QualifiedVault,
  })
  await service.services.committer.commit(change)
  return sealed.record
}

export interface Agreed {
  readonly partner: Partner
  readonly partnerId: string
  readonly vault: { readonly id: string; readonly resourceVersion: string }
  readonly consent: Consent
}

/** Partner actions under a consent, in an organization that consents to itself. */
export async function agreed(
  owner: TestMember,
  service: TestService,
  given?: Agreed['vault'],
): Promise<Agreed> {
  const vault = given ?? (await aVault(owner, service))
  const partner = await aPartner(owner, service)
  const scopes = ['PORTFOLIO_SUMMARY', 'PROPOSAL_PREPARE']
  const granted = await grant(service, owner, partner, { vaultIds: [vault.id], scopes })
  if (granted.status !== 201) throw new Error(granted.code)
  return { partner, partnerId: partner.id, vault, consent: granted.data }
}

const configuration = {
  host: 'walked.partner.example',
  displayName: 'Walked',
  legalName: 'Walked AG',
  domainChallenge: { id: `partner_domain_${'0'.repeat(32)}`, resourceVersion: hash },
  supportEmail: 'support@partner.example',
  privacyUrl: null,
  dataRetentionDays: 30,
  brand: {
    name: 'Walked',
    accentColor: '#0f7b6c',
    logo: null,
    contrast: { onWhiteX100: 500, onDarkX100: 400 },
  },
  offers: ['PORTFOLIO_SUMMARY', 'PROPOSAL_PREPARE'],
  consentText: 'The partner prepares for the vaults that are named, and sees no more than that.',
  consentTextHash: hash,
  configurationArtifactHash: hash,
} satisfies contract.PartnerTenant

export async function preparationBody(owner: TestMember, { partnerId, vault }: Agreed) {
  const read = await callOperation<Context>(owner, 'getPartnerPreparationContext', {
    params: { partnerId },
  })
  const [{ consent, contextHash }] = read.data.vaults as [Context['vaults'][number]]
  const call = { to: base, value: '5', data: '0xa9059cbb' }
  return {
    payload: {
      issuerOrganizationId: owner.organizationId,
      consent,
      contextHash,
      packet: {
        title: 'Pay the auditor',
        summary: 'As agreed.',
        vaultId: vault.id,
        action: {
          actionType: 'VENUE_CALLS',
          chainId: 31_337,
          safeAddress: safe,
          calls: [call],
          nonce: '3',
          route: 'PRIVATE',
        },
        series: [{ calls: [call] }],
        sources: [
          {
            resourceType: 'QualifiedVault',
            id: vault.id,
            resourceVersion: vault.resourceVersion,
          },
        ],
        expectedEffects: [{ asset: base, minimumDelta: '-9', maximumDelta: '-1' }],
      },
      note: 'As we said',
      expiresAt: '2026-01-12T00:00:00.000Z',
    },
    evidenceHashes: [hash],
    reason,
  }
}

export const partnerScenes: Readonly<Record<string, Scene>> = {
  grantPartnerConsent: async (owner, _test, service) => {
    const vault = await aVault(owner, service)
    const { id, resourceVersion, payload } = await aPartner(owner, service)
    const { consentTextHash, configurationArtifactHash: artifactHash } = payload
    const partnerConfiguration = { resourceVersion, artifactHash }
    const terms = {
      partnerId: id,
      partnerConfiguration,
      scopes: ['PROPOSAL_PREPARE'],
      consentTextHash,
      vaultIds: [vault.id],
      expiresAt: '2026-01-20T00:00:00.000Z',
      purpose: 'The partner looks after our market',
    }
    return { bodies: [{ payload: terms, evidenceHashes: [hash], reason }] }
  },
  revokePartnerConsent: async (owner, _test, service) => {
    const { id, resourceVersion } = (await agreed(owner, service)).consent
    return { request: { params: { id } }, bodies: [{ resourceVersion, reason }] }
  },
  revokePartnerTenant: async (owner, _test, service) => {
    const { id, resourceVersion } = await aPartner(owner, service)
    return { request: { params: { id } }, bodies: [{ resourceVersion, reason }] }
  },
  preparePartnerProposal: async (owner, _test, service) => {
    const staged = await agreed(owner, service)
    const request = { params: { partnerId: staged.partnerId } }
    return { request, bodies: [await preparationBody(owner, staged)] }
  },
  declinePartnerPreparation: async (owner, _test, service) => {
    const staged = await agreed(owner, service)
    const response = await callOperation<Submitted>(owner, 'preparePartnerProposal', {
      params: { partnerId: staged.partnerId },
      body: await preparationBody(owner, staged),
    })
    if (response.status !== 201) throw new Error(JSON.stringify(response.fieldErrors))
    const request = { params: { eventId: response.data.eventId } }
    return { request, bodies: [{ reason, visibleReason: 'Please prepare two packets' }] }
  },
}
