import { limits } from '../../../../limits.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../../../store/database/row.ts'
import { join, type Sql, sql } from '../../../../store/database/sql.ts'
import { newId } from '../../../../store/records/ids.ts'
import type { TenantRecords } from '../../../../store/records/tenant-records.ts'
import type { HandledAlert } from '../alert-notices.ts'
import { channels, rules } from '../records.ts'
import { dueMessages, type MessageHistory } from './due-messages.ts'
import type { AlertNotice, NewMessage } from './message.ts'

/** Queues all messages that the alert rules of an organization currently require. */
export async function queueMessages(
  records: TenantRecords,
  alerts: readonly HandledAlert[],
): Promise<void> {
  const statements = await messageStatements(records, alerts)
  if (statements.length > 0) await records.query(statements)
}

/** Statements that queue these messages, for a change that alters the alerts. */
export async function messageStatements(
  records: TenantRecords,
  alerts: readonly HandledAlert[],
): Promise<Sql[]> {
  const { organizationId, now } = records
  const active = { status: ['ACTIVE'] }
  const [activeRules, activeChannels] = await Promise.all([
    rules.find(records, active),
    channels.find(records, active),
  ])
  if (activeChannels.length === 0) return []
  const [historyRows = [], recent = []] = await records.query([
    selectHistory(organizationId),
    sql`select channel_id, count(*) as number from alert_messages where organization_id = ${organizationId}
      and kind in ('OPEN', 'RESOLVED') and held_until is null
      and created_at > ${now - limits.alertFloodMilliseconds} group by channel_id`,
  ])
  const messages = dueMessages({
    now,
    alerts: alerts.filter(({ state }) => state === 'OPEN'),
    rules: activeRules.map(({ id, payload }) => ({ id, ...payload })),
    channelIds: new Set(activeChannels.map(({ id }) => id)),
    history: historyRows.map(parseHistory),
    recent: new Map(recent.map((row) => [textOf(row, 'channel_id'), integerOf(row, 'number')])),
  })
  return messages.length === 0 ? [] : [insertStatement(records, messages)]
}

/** Per alert and channel: message count, last message, and time of the last open message. */
function selectHistory(organizationId: string): Sql {
  const last = (column: string) => ({ text: `(array_agg(${column} order by number desc))[1]` })
  const opened = (rank: number) =>
    sql`max(created_at) filter (where kind = 'OPEN' and severity_rank >= ${rank})`
  return sql`select channel_id, alert_id, max(number) as number, ${last('body')} as body,
      ${last(`case status when 'HELD' then held_until end`)} as held_until,
      ${opened(1)} as opened_1, ${opened(2)} as opened_2, ${opened(3)} as opened_3
    from alert_messages where organization_id = ${organizationId} and kind in ('OPEN', 'RESOLVED')
    group by channel_id, alert_id`
}

function parseHistory(row: Row): MessageHistory {
  const timeOf = (name: string) => {
    const text = optionalTextOf(row, name)
    return text === null ? null : Number(text)
  }
  const [last] = JSON.parse(textOf(row, 'body')) as AlertNotice[]
  if (!last) throw new Error('A message must have content.')
  return {
    channelId: textOf(row, 'channel_id'),
    alertId: textOf(row, 'alert_id'),
    number: integerOf(row, 'number'),
    last,
    lastHeldUntil: timeOf('held_until'),
    openedAt: [timeOf('opened_1'), timeOf('opened_2'), timeOf('opened_3')],
  }
}

/** If two processes decide the same message, the second insert has no effect. */
function insertStatement(
  { organizationId, now }: TenantRecords,
  messages: readonly NewMessage[],
): Sql {
  const rows = messages.map(
    ({ channelId, alertId, number, kind, rank, notice: stated, heldUntil }) =>
      sql`(${organizationId}, ${channelId}, ${alertId}, ${number}, ${newId('alert_message', now)}, ${kind}, ${rank},
        ${JSON.stringify([stated])}, ${heldUntil === null ? 'WAITING' : 'HELD'}, ${heldUntil}::bigint, ${now}, ${now})`,
  )
  return sql`insert into alert_messages (organization_id, channel_id, alert_id, number, message_id, kind,
      severity_rank, body, status, held_until, next_attempt_at, created_at)
    values ${join(rows)} on conflict do nothing`
}

/** Combines held messages into one digest and releases them in the same transaction. */
export function digestStatement(organizationId: string, channelId: string, now: number): Sql {
  return sql`with gathered as (
      update alert_messages set status = 'DIGESTED' where organization_id = ${organizationId}
        and channel_id = ${channelId} and status = 'HELD' and held_until <= ${now}
        returning body, severity_rank, created_at, number)
    insert into alert_messages (organization_id, channel_id, alert_id, number, message_id, kind,
      severity_rank, body, status, next_attempt_at, created_at)
    select ${organizationId}, ${channelId}, 'digest', coalesce((select max(number) from alert_messages
        where organization_id = ${organizationId} and channel_id = ${channelId} and alert_id = 'digest'), 0) + 1,
      ${newId('alert_message', now)}, 'DIGEST', max(severity_rank),
      (jsonb_agg(body::jsonb -> 0 order by created_at, number))::text, 'WAITING', ${now}, ${now}
    from gathered having count(*) > 0`
}

/** Cancels waiting messages of an inactive channel. */
export function dropWaiting(organizationId: string, channelId: string): Sql {
  return sql`update alert_messages set status = 'CANCELLED' where organization_id = ${organizationId}
    and channel_id = ${channelId} and status in ('WAITING', 'HELD')`
}

export function forgetMessages(now: number): Sql[] {
  return [
    sql`delete from alert_messages where created_at < ${now - limits.alertMessageRetentionMilliseconds}
      and status not in ('WAITING', 'HELD')`,
  ]
}
