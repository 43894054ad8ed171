import type { contract } from '@liquidity-os/contract'
import { importPublicKey } from '@liquidity-os/evidence'
import type { ProviderPayload } from '../../../integrations/providers/chain-providers.ts'
import { sweepOverdue } from '../../../jobs/overdue.ts'
import { takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess, RecordSweeping } from '../../../services.ts'
import type { Change } from '../../../store/records/change.ts'
import { headsStatement } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { findLostAuthority } from './account-authority.ts'
import { isLive } from './api.ts'
import { custodyEvidence } from './records.ts'

/**
 * Rereads the authority behind all evidence. Evidence lapses if the deciding accounts or rules
 * changed.
 */
export function checkAuthorities(services: RecordSweeping & ProviderAccess): Promise<void> {
  return sweepOverdue(services, {
    actor: 'custody-authorities',
    overdue: (organizationId) =>
      headsStatement(organizationId, 'TreasuryCustodyEvidence', {
        status: ['ACTIVE'],
        order: 'OLDEST',
      }),
    end: (records, id) => expireEvidence(records, services, id),
  })
}

async function expireEvidence(
  records: TenantRecords,
  services: ProviderAccess,
  id: string,
): Promise<Change | null> {
  const current = await custodyEvidence.current(records, id)
  if (!current) throw new Error(`Custody evidence ${id} does not exist.`)
  const { payload } = current.record
  const { statement, receipt } = payload
  if (!isLive(current.record, records.now)) return null
  const { authority } = receipt
  const found =
    authority.kind === 'CUSTODIAN'
      ? await lostKey(records, authority)
      : await changedOnChain(records, services, statement, authority)
  if (found === null) return null
  const expiry = { ...found, detail: found.detail.slice(0, 500) }
  const { evidenceId, container } = statement
  return custodyEvidence.next(records, current, {
    status: 'REVOKED',
    reason: 'The signing authority has changed',
    payload: { ...payload, lapse: { at: new Date(records.now).toISOString(), ...expiry } },
    event: 'treasury.custody.authority_changed',
    eventPayload: { evidenceId, container, ...expiry },
  }).change
}

type Expiry = Omit<NonNullable<contract.TreasuryCustodyEvidence['lapse']>, 'at'>
type Authority = contract.CustodyReceipt['authority']

async function changedOnChain(
  records: TenantRecords,
  services: ProviderAccess,
  statement: contract.CustodyStatement,
  authority: Exclude<Authority, { kind: 'CUSTODIAN' }>,
): Promise<Expiry | null> {
  const { chainId } = statement
  const { chains } = await takeSnapshot(records, services, [chainId], 'chainId')
  // The snapshot contains the requested chain.
  const chain = chains.get(chainId)!
  const detail = await findLostAuthority(chain, statement, authority)
  const block = { chainId, number: chain.block.number, hash: chain.block.hash }
  return detail === null ? null : { block, detail }
}

/**
 * Custodian evidence depends on the provider's keys. It lapses with a removed key or a removed
 * provider.
 */
async function lostKey(
  records: TenantRecords,
  { providerId, providerRecordId, publicKey, keyId }: Extract<Authority, { kind: 'CUSTODIAN' }>,
): Promise<Expiry | null> {
  const found = await records.current<ProviderPayload>('Provider', providerRecordId)
  if (found?.record.status !== 'ACTIVE') {
    return { detail: `The provider ${providerId} is ${found?.record.status ?? 'missing'}.` }
  }
  const hasKey = found.record.payload.publicKeys.some(
    (key) => importPublicKey(key).raw === publicKey,
  )
  return hasKey ? null : { detail: `The provider ${providerId} no longer has the key ${keyId}.` }
}
