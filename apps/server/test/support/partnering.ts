import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { vaults } from '../../src/families/prove/vaults/records.ts'
import { TenantRecords } from '../../src/store/records/tenant-records.ts'
import { dayMilliseconds } from '../../src/units.ts'
import type { Mailbox } from './mailbox.ts'
import type { TestNames } from './name-servers.ts'
import { startPartnerWorld } from './partner-world.ts'
import { callOperation, type TestResponse } from './requests.ts'
import { startTestService, type TestMember, type TestService } from './service.ts'

export type Challenge = VersionedRecord<contract.PartnerDomainChallenge>
export type Partner = VersionedRecord<contract.PartnerTenant>

/** A service behind an ingress with TLS, in a world with name servers. */
export interface PartnerScene {
  service: TestService
  names: TestNames
  mailbox: Mailbox
  hosts: string[]
  stop: () => Promise<void>
}

const reason = 'For the test'

/**
 * @param max how many hosts the certificate of the ingress names
 * @param reached what else the service may ask inside of the network
 */
export async function startPartnerScene(
  max = 32,
  reached: readonly string[] = [],
): Promise<PartnerScene> {
  const hosts = Array.from({ length: max }, (_, index) => `host${index}.partner.test`)
  const world = await startPartnerWorld(hosts)
  const { names, mailbox, environment, allowed } = world
  const service = await startTestService({
    ...environment,
    OUTBOUND_ALLOW: [...allowed, ...reached].join(','),
  })
  world.leadTo(service.baseUrl)
  return {
    service,
    names,
    mailbox,
    hosts: [...hosts],
    stop: async () => {
      await service.stop()
      await world.stop()
    },
  }
}

export const challenge = (by: TestMember, host: string): Promise<TestResponse<Challenge>> =>
  callOperation<Challenge>(by, 'createPartnerDomainChallenge', {
    body: { payload: { host }, reason },
  })

/** One of the posts of a challenge, on the version that is named. */
export const act = (
  by: TestMember,
  what: 'verify' | 'provision' | 'revoke',
  { id, resourceVersion }: Challenge,
): Promise<TestResponse<Challenge>> =>
  callOperation<Challenge>(by, `${what}PartnerDomainChallenge`, {
    params: { id },
    body: { reason, resourceVersion },
  })

/** A host that is proven and leads here. */
export async function boundHost(
  { names }: Pick<PartnerScene, 'names'>,
  by: TestMember,
  host: string,
): Promise<Challenge> {
  names.zone(host)
  const issued = (await challenge(by, host)).data
  names.publish(issued.payload.recordName, issued.payload.recordValue)
  const verified = await act(by, 'verify', issued)
  const provisioned = await act(by, 'provision', verified.data)
  if (provisioned.status !== 200) throw new Error(JSON.stringify(provisioned))
  return provisioned.data
}

export const configuration = (
  { id, resourceVersion, payload }: Challenge,
  changes: Record<string, unknown> = {},
) => ({
  payload: {
    host: payload.host,
    domainChallenge: { id, resourceVersion },
    displayName: 'Partner',
    legalName: 'Partner AG',
    supportEmail: 'support@partner.test',
    brand: { name: 'Partner', accentColor: '#0f7b6c' },
    offers: ['BRAND_ON_PASSPORT', 'SCORE_READ', 'PORTFOLIO_SUMMARY'],
    consentText: 'The partner sees what is named here, of the vaults that are named, and no more.',
    dataRetentionDays: 30,
    ...changes,
  },
  reason,
})

/**
 * Consent terms for a partner in its current version, for vaults and 30 days on the service clock.
 */
export const consentTerms = (
  { service }: Pick<PartnerScene, 'service'>,
  { id, resourceVersion, payload }: Partner,
  vaultIds: readonly string[],
  changes: Record<string, unknown> = {},
) => ({
  payload: {
    partnerId: id,
    partnerConfiguration: { resourceVersion, artifactHash: payload.configurationArtifactHash },
    scopes: ['SCORE_READ', 'BRAND_ON_PASSPORT'],
    vaultIds,
    consentTextHash: payload.consentTextHash,
    expiresAt: new Date(service.clock.read() + 30 * dayMilliseconds).toISOString(),
    purpose: 'The partner watches our market',
    ...changes,
  },
  reason,
})

let safes = 0

/** A vault stored without a chain read: consents name it but read no data from it. */
export async function recordedVault(
  { service }: Pick<PartnerScene, 'service'>,
  { organizationId }: Pick<TestMember, 'organizationId'>,
): Promise<string> {
  const { database, verified, artifacts, clock, committer } = service.services
  const actor = { kind: 'SYSTEM', id: 'test' } as const
  const terms = { organizationId, actor, now: clock(), database, verified, artifacts }
  safes += 1
  const address = (itemIndex: number) => `0x${String(itemIndex).padStart(40, '0')}`
  const payload = {
    chainId: 31_337,
    safeAddress: address(safes),
    qualification: 'QUALIFIED',
    controlEpoch: '1',
    pair: { base: address(1), quote: address(2) },
  }
  const { sealed, change } = vaults.first(new TenantRecords({ ...terms, purpose: 'REQUEST' }), {
    status: 'ACTIVE',
    payload: payload as contract.QualifiedVault,
    reason,
    event: 'vault.snapshot',
  })
  await committer.commit(change)
  return sealed.record.id
}
