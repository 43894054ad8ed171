import type { contract } from '@liquidity-os/contract'
import { isEmail } from '../../../../access/email-address.ts'
import type { Sealing } from '../../../../access/sealing.ts'
import type { Config } from '../../../../config.ts'
import { endpointFault } from '../../../../integrations/outbound/endpoint-fault.ts'
import { required } from '../../../../required.ts'
import { textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'

export type ChannelTarget = contract.AlertChannelTarget
export type ChannelPayload = contract.AlertChannel

/** Reasons why messages cannot be sent to a target, by field; empty if they can. */
export function validateTarget(target: ChannelTarget, config: Config): Record<string, string[]> {
  if (target.kind === 'EMAIL') {
    const isAddress = isEmail(target.address)
    return isAddress ? {} : { 'payload.target.address': ['must be one plain email address'] }
  }
  const fault = endpointFault(target.url, config)
  return fault === null ? {} : { 'payload.target.url': [fault] }
}

const placeText = (organizationId: string, host: string) =>
  `alert-channel|${organizationId}|${host}`

function hostOf(target: ChannelTarget): string {
  if (target.kind === 'EMAIL') return target.address.slice(target.address.lastIndexOf('@') + 1)
  return new URL(target.url).host
}

/** Stored form of a target: its host, and the whole encrypted for this organization. */
export function sealTarget(
  sealing: Sealing,
  organizationId: string,
  target: ChannelTarget,
): { readonly payload: Pick<ChannelPayload, 'kind' | 'target'>; readonly sealed: string } {
  const host = hostOf(target)
  const sealed = sealing.seal(JSON.stringify(target), placeText(organizationId, host))
  return { payload: { kind: target.kind, target: host }, sealed }
}

/** Stores the encrypted target of a channel, next to its record. */
export const storeSealed = (organizationId: string, channelId: string, sealed: string): Sql =>
  sql`insert into alert_channel_targets (organization_id, channel_id, sealed)
    values (${organizationId}, ${channelId}, ${sealed})
    on conflict (organization_id, channel_id) do update set sealed = excluded.sealed`

/**
 * Reads the target of a channel.
 *
 * @throws Error if its sealing key is lost, or if the secret was moved here from another place
 */
export async function readTarget(
  records: TenantRecords,
  sealing: Sealing,
  { id, payload }: { readonly id: string; readonly payload: ChannelPayload },
): Promise<ChannelTarget> {
  const { organizationId } = records
  // Only earlier releases store the target in the record. Such a version is newer than the row.
  const sealed = payload.sealed ?? (await storedSealed(records, id))
  return JSON.parse(
    sealing.open(sealed, placeText(organizationId, payload.target)),
  ) as ChannelTarget
}

async function storedSealed(records: TenantRecords, id: string): Promise<string> {
  const [rows = []] = await records.query([
    sql`select sealed from alert_channel_targets where organization_id = ${records.organizationId}
      and channel_id = ${id}`,
  ])
  return textOf(required(rows[0], 'sealed'), 'sealed')
}

/** The text of a channel's record without the encrypted target that earlier releases stored in it. */
export function withoutSealed(text: string): string {
  if (!text.includes('"sealed":')) return text
  const record = JSON.parse(text) as { payload: ChannelPayload }
  const { sealed: _sealed, ...payload } = record.payload
  return JSON.stringify({ ...record, payload })
}
