import { contract } from '@liquidity-os/contract'
import { H, type VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../../failure.ts'
import { contentHashOf } from '../../../../store/artifacts/content-hash.ts'
import type { ArtifactInsert } from '../../../../store/records/change.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { domains } from '../records.ts'
import { contrastOf, darkPage, minContrastX100 } from './contrast.ts'
import { readLogo } from './logo.ts'

type Sent = contract.PartnerTenantCreate
type Payload = contract.PartnerTenant
type Logo = Payload['brand']['logo']

/** Payload of a configuration, with the bytes of a new logo. */
export interface Configured {
  readonly payload: Payload
  readonly artifacts: readonly Omit<ArtifactInsert, 'producer'>[]
}

export const consentTextHashOf = (text: string): string => H('consent-text/v1', { text })

/**
 * Builds a partner configuration from a request.
 *
 * @param before the replaced configuration, whose logo can be reused by hash
 * @throws Failure 409 or 422
 */
export async function configure(
  records: TenantRecords,
  sent: Sent,
  before: Payload | null,
): Promise<Configured> {
  const { host, domainChallenge, displayName, supportEmail, offers, consentText } = sent
  await requireDomain(records, sent)
  const contrast = requireContrast(sent.brand.accentColor)
  const { logo, artifacts } = await logoOf(sent, before)
  const configuration: Omit<Payload, 'configurationArtifactHash'> = {
    host,
    domainChallenge,
    displayName,
    supportEmail,
    consentText,
    legalName: sent.legalName ?? null,
    privacyUrl: sent.privacyUrl ?? null,
    brand: { name: sent.brand.name, accentColor: sent.brand.accentColor, contrast, logo },
    // Normalized as a set, so that the order in the request does not matter.
    offers: contract.consentScopes.filter((scope) => offers.includes(scope)),
    consentTextHash: consentTextHashOf(consentText),
    dataRetentionDays: sent.dataRetentionDays,
  }
  const configurationArtifactHash = H('partner-configuration/v1', configuration)
  return { payload: { ...configuration, configurationArtifactHash }, artifacts }
}

async function requireDomain(
  records: TenantRecords,
  { host, domainChallenge: { id, resourceVersion } }: Sent,
): Promise<void> {
  const found = await domains.current(records, id)
  const refused = (fieldErrors: Record<string, string[]>) =>
    new Failure('LIQUIDITY_PARTNER_DOMAIN_NOT_ACTIVE', { fieldErrors })
  const proven = found?.record.payload.host
  if (proven !== undefined && proven !== host) {
    throw refused({ 'payload.host': [`must be ${proven}, as proven by ${id}, got ${host}`] })
  }
  const fault = faultOfDomain(found?.record ?? null, resourceVersion)
  if (fault !== null) throw refused({ 'payload.domainChallenge': [`${fault}, got ${id}`] })
}

function faultOfDomain(
  record: VersionedRecord<contract.PartnerDomainChallenge> | null,
  resourceVersion: string,
): string | null {
  if (record === null) return 'must be a challenge of this organization'
  if (record.status !== 'ACTIVE') return `must be ACTIVE; it is ${record.status}`
  return record.resourceVersion === resourceVersion
    ? null
    : `must name the version ${record.resourceVersion}`
}

function requireContrast(accentColor: string): Payload['brand']['contrast'] {
  const contrast = contrastOf(accentColor)
  const { onWhiteX100, onDarkX100 } = contrast
  if (Math.min(onWhiteX100, onDarkX100) >= minContrastX100) return contrast
  throw new Failure('LIQUIDITY_PARTNER_ACCENT_CONTRAST', {
    fieldErrors: {
      'payload.brand.accentColor': [
        `must have a contrast of at least 3:1 on #ffffff and on ${darkPage}; ${accentColor} has ${onWhiteX100 / 100}:1 and ${onDarkX100 / 100}:1`,
      ],
    },
  })
}

async function logoOf(
  { brand }: Sent,
  before: Payload | null,
): Promise<{ logo: Logo; artifacts: Configured['artifacts'] }> {
  const sent = brand.logo
  if (sent === undefined) return { logo: null, artifacts: [] }
  if ('logoContentHash' in sent) {
    const known = before?.brand.logo ?? null
    if (known?.contentHash === sent.logoContentHash) return { logo: known, artifacts: [] }
    throw logoFault(
      'payload.brand.logo.logoContentHash',
      `must be the hash of the current logo, ${known?.contentHash ?? 'of which there is none'}; send a new logo as bytes`,
    )
  }
  const picture = await readLogo(sent)
  if (typeof picture === 'string') throw logoFault('payload.brand.logo.base64', picture)
  const { mediaType, width, height, bytes } = picture
  const contentHash = contentHashOf(bytes)
  return {
    logo: { contentHash, mediaType, width, height, byteLength: bytes.length },
    artifacts: [{ contentHash, mediaType, content: bytes }],
  }
}

const logoFault = (field: string, fault: string) =>
  new Failure('LIQUIDITY_PARTNER_LOGO_INVALID', { fieldErrors: { [field]: [fault] } })
