import type { contract } from '@liquidity-os/contract'
import { sha256Hex, type VersionedRecord } from '@liquidity-os/evidence'
import { limits } from '../../../limits.ts'
import { pairKey } from '../../../market/pair.ts'
import { textOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { shortHex } from '../../../texts.ts'
import type { Alert } from './alert.ts'

type Policy = VersionedRecord<contract.AutonomyPolicy>
type Vault = VersionedRecord<contract.QualifiedVault>

const kind = 'ONCHAIN_AUTHORITY'

/**
 * Alerts for vaults with a policy whose Safe has modules. Modules act without the owners, so
 * tightening, pausing or revoking a policy does not stop them. The severity is highest if the
 * policy should allow no calls. A changed set of modules is a new alert.
 */
export async function policyAlerts(
  records: TenantRecords,
  policies: readonly Policy[],
  vaults: readonly Vault[],
): Promise<Alert[]> {
  const ofVault = Map.groupBy(policies, ({ payload }) => payload.vaultId)
  const exposed = vaults.flatMap((vault) => {
    const [policy] = (ofVault.get(vault.id) ?? []).toSorted((a, b) =>
      a.payload.approvedAt < b.payload.approvedAt ? 1 : -1,
    )
    return policy && vault.payload.control.modules.length > 0 ? [{ vault, policy }] : []
  })
  const seen = await firstSeen(
    records,
    exposed.map(({ vault }) => vault),
  )
  return exposed.map(({ vault, policy }) => alertOf(vault, policy, seen.get(vault.id)))
}

function alertOf(
  { id: vaultId, payload, resourceVersion: evidenceHash }: Vault,
  { id, resourceType, resourceVersion, status }: Policy,
  seen: string | undefined,
): Alert {
  const { control, pair, safeAddress, snapshot } = payload
  const { modules } = control
  const acting =
    modules.length === 1 ? 'a module that can act' : `${modules.length} modules that can act`
  const title = `The Safe ${shortHex(safeAddress)} has ${acting} without its owners. Its policy (${status.toLowerCase()}) does not bind actions on chain. A new policy version lists the calls that remove this access.`
  const these = sha256Hex(modules.toSorted().join()).slice(0, 16)
  return {
    source: { resourceType, id, resourceVersion },
    evidenceHash,
    id: `${kind}:${vaultId}:${these}`,
    kind,
    openedAt: seen ?? snapshot.timestamp,
    severity: status === 'ACTIVE' ? 'WARNING' : 'CRITICAL',
    title: title.slice(0, limits.alertTitleCharacters),
    lastSeenAt: snapshot.timestamp,
    occurrences: 1,
    state: 'OPEN',
    subject: { pair: pairKey(pair), venueId: null },
  }
}

/** Time of the first read of each vault with its current modules. */
async function firstSeen(
  records: TenantRecords,
  vaults: readonly Vault[],
): Promise<ReadonlyMap<string, string>> {
  if (vaults.length === 0) return new Map()
  const rows = await records.query(
    vaults.map(
      ({ id, payload }) =>
        sql`select id, min(body::jsonb #>> '{payload,snapshot,timestamp}') as seen from records
          where organization_id = ${records.organizationId} and id = ${id}
          and body::jsonb #> '{payload,control,modules}' = ${JSON.stringify(payload.control.modules)}::jsonb group by id`,
    ),
  )
  return new Map(rows.flat().map((row) => [textOf(row, 'id'), textOf(row, 'seen')]))
}
