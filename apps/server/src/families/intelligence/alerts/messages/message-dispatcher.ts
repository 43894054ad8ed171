import { ownersOf } from '../../../../access/owners-of.ts'
import { organizationUrl } from '../../../../config.ts'
import { delayForReceiver } from '../../../../integrations/webhooks/retry-schedule.ts'
import { limits } from '../../../../limits.ts'
import type { ProviderAccess, RecordReading, Services } from '../../../../services.ts'
import { integerOf, textOf } from '../../../../store/database/row.ts'
import { type Sql, sql } from '../../../../store/database/sql.ts'
import { newId } from '../../../../store/records/ids.ts'
import { TenantRecords } from '../../../../store/records/tenant-records.ts'
import { channels } from '../records.ts'
import { type ChannelTarget, readTarget } from './channel-target.ts'
import type { AlertNotice } from './message.ts'
import { digestStatement } from './queue-messages.ts'
import type { AlertMessage } from './render-message.ts'
import { type Attempted, sendMessage } from './send-message.ts'

/** Identifies one message. */
interface MessageKey {
  readonly organizationId: string
  readonly channelId: string
  readonly alertId: string
  readonly number: number
}

interface Taken extends MessageKey {
  readonly attempt: number
  readonly rank: number
  readonly message: AlertMessage
}

/** Takes messages from the queue and sends each to its channel. */
type MessageSending = RecordReading &
  ProviderAccess &
  Pick<Services, 'config' | 'leaseClock' | 'log' | 'mailer' | 'metrics'>

/**
 * Delivers alert messages. Workers poll rows, so a crash loses no message. A lease prevents double
 * delivery. Messages about one alert reach a channel in order, and organizations take turns.
 */
export class MessageDispatcher {
  readonly #services: MessageSending
  readonly #inFlight = new Map<string, { organizationId: string; work: Promise<void> }>()
  #scan: Promise<number> | null = null
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(services: MessageSending) {
    this.#services = services
  }

  start(): void {
    this.#timer = setInterval(this.#look, limits.alertDispatchMilliseconds)
    this.#timer.unref()
  }

  /** One queue scan at a time. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearInterval(this.#timer)
    await this.#scan?.catch(() => 0)
    await Promise.all([...this.#inFlight.values()].map(({ work }) => work))
  }

  async dispatch(): Promise<void> {
    while (!this.#isStopped) {
      const started = await this.#startDue()
      if (started === 0 && this.#inFlight.size === 0) return
      await Promise.race([...this.#inFlight.values()].map(({ work }) => work))
    }
  }

  readonly #look = () => {
    void this.#startDue().catch((error: unknown) =>
      this.#services.log.warn({ err: error }, 'Messages were not sent. The service will retry.'),
    )
  }

  /** One look at the queue at a time. */
  #startDue(): Promise<number> {
    this.#scan ??= this.#start().finally(() => {
      this.#scan = null
    })
    return this.#scan
  }

  async #start(): Promise<number> {
    if (this.#isStopped) return 0
    await this.#digest()
    let started = 0
    for (const key of await this.#due()) {
      const { organizationId, channelId, alertId, number } = key
      const name = [organizationId, channelId, alertId, number].join('|')
      const own = [...this.#inFlight.values()].filter(
        (one) => one.organizationId === organizationId,
      )
      const hasCapacity =
        this.#inFlight.size < limits.alertMessagesAtOnce &&
        own.length < limits.alertMessagesOfOrganization
      if (!hasCapacity || this.#inFlight.has(name)) continue
      const work = this.#deliver(key)
        .catch((error: unknown) =>
          this.#services.log.warn({ err: error }, 'A message failed. The service will retry.'),
        )
        .then(() => {
          this.#inFlight.delete(name)
        })
      this.#inFlight.set(name, { organizationId, work })
      started += 1
    }
    return started
  }

  /** Combines held messages into one digest per channel. */
  async #digest(): Promise<void> {
    const { database, clock } = this.#services
    const now = clock()
    const [rows = []] = await database.dispatch([
      sql`select distinct organization_id, channel_id from alert_messages
        where status = 'HELD' and held_until <= ${now} limit ${limits.alertMessagesAtOnce}`,
    ])
    for (const row of rows) {
      const organizationId = textOf(row, 'organization_id')
      const statement = digestStatement(organizationId, textOf(row, 'channel_id'), now)
      await database.tenant(organizationId, [statement])
    }
  }

  async #due(): Promise<MessageKey[]> {
    const now = this.#services.clock()
    const leased = this.#services.leaseClock.read()
    const [rows = []] = await this.#services.database.dispatch([
      sql`select organization_id, channel_id, alert_id, number from (
          select m.organization_id, m.channel_id, m.alert_id, m.number, m.next_attempt_at, row_number() over (partition by m.organization_id
            order by m.next_attempt_at, m.message_id) as place
          from alert_messages m where m.status = 'WAITING' and m.next_attempt_at <= ${now}
            and (m.lease_until is null or m.lease_until < ${leased})
            and not exists (select from alert_messages e where e.organization_id = m.organization_id
              and e.channel_id = m.channel_id and e.alert_id = m.alert_id and e.number < m.number
              and e.status = 'WAITING')) as due
        where place <= ${limits.alertMessagesOfOrganization}
        order by place, next_attempt_at limit ${limits.alertMessagesAtOnce}`,
    ])
    return rows.map((row) => ({
      organizationId: textOf(row, 'organization_id'),
      channelId: textOf(row, 'channel_id'),
      alertId: textOf(row, 'alert_id'),
      number: integerOf(row, 'number'),
    }))
  }

  async #deliver(key: MessageKey): Promise<void> {
    const taken = await this.#take(key)
    if (!taken) return
    const startedAt = performance.now()
    const target = await this.#targetOf(taken)
    const attempted = target ? await this.#attempt(taken, target) : null
    await this.#record(taken, attempted)
    const outcome = attempted?.isDelivered ? 'DELIVERED' : (attempted?.outcome ?? 'CANCELLED')
    const kind = typeof target === 'object' && target ? target.kind : 'OWNERS'
    this.#services.metrics.observeMessage(kind, outcome, performance.now() - startedAt)
  }

  /** Takes the lease; null if another process has it. */
  async #take(key: MessageKey): Promise<Taken | null> {
    const { database, leaseClock } = this.#services
    const now = leaseClock.read()
    const lease = now + 2 * limits.alertMessageTimeoutMilliseconds
    const [rows = []] = await database.tenant(key.organizationId, [
      sql`update alert_messages set lease_until = ${lease}, attempts = attempts + 1 where ${is(key)}
        and status = 'WAITING' and (lease_until is null or lease_until < ${now})
        returning message_id, kind, severity_rank, body, attempts`,
    ])
    const [row] = rows
    if (!row) return null
    const message: AlertMessage = {
      id: textOf(row, 'message_id'),
      // The table contains no other values.
      kind: textOf(row, 'kind') as AlertMessage['kind'],
      channelId: key.channelId,
      home: organizationUrl(this.#services.config, key.organizationId),
      notices: JSON.parse(textOf(row, 'body')) as AlertNotice[],
    }
    return {
      ...key,
      message,
      attempt: integerOf(row, 'attempts'),
      rank: integerOf(row, 'severity_rank'),
    }
  }

  /** Target of a message: the owners or the current channel. Null if the channel is inactive. */
  async #targetOf({ organizationId, channelId, message }: Taken) {
    if (message.kind === 'OWNERS') return 'OWNERS' as const
    const { database, verified, artifacts, clock, sealing } = this.#services
    const records = new TenantRecords({
      purpose: 'JOB',
      organizationId,
      actor: { kind: 'SYSTEM', id: 'alert-messages' },
      now: clock(),
      database,
      verified,
      artifacts,
    })
    const current = await channels.current(records, channelId)
    if (current?.record.status !== 'ACTIVE') return null
    return readTarget(records, sealing, current.record)
  }

  async #attempt(taken: Taken, target: ChannelTarget | 'OWNERS'): Promise<Attempted> {
    const { message, organizationId } = taken
    const addressees =
      target === 'OWNERS' ? await ownersOf(this.#services.database, organizationId) : target
    return sendMessage(this.#services, addressees, message, limits.alertMessageTimeoutMilliseconds)
  }

  /** @param attempted null if the channel is inactive */
  async #record(taken: Taken, attempted: Attempted | null): Promise<void> {
    const { database, clock } = this.#services
    const now = clock()
    const scheduled = limits.alertRetryMilliseconds[taken.attempt - 1] ?? null
    const pause = delayForReceiver(scheduled, attempted?.retryAfter ?? null, now)
    const isDead = attempted !== null && !attempted.isDelivered && pause === null
    const status = statusOf(attempted, isDead)
    const ofOwners = taken.message.kind === 'OWNERS'
    if (isDead && ofOwners) {
      this.#services.log.error(
        { channelId: taken.channelId },
        'No owner received the email about an alert.',
      )
    }
    await database.tenant(taken.organizationId, [
      // Guarded by `attempts`: an attempt that exceeded its lease may have been superseded.
      ...(isDead && !ofOwners ? [notifyOwners(taken, now)] : []),
      sql`update alert_messages set status = ${status}, lease_until = null,
        last_outcome = ${attempted?.outcome ?? null}, next_attempt_at = ${now + (pause ?? 0)}
        where ${is(taken)} and attempts = ${taken.attempt} and status = 'WAITING'`,
    ])
  }
}

function statusOf(attempted: Attempted | null, isDead: boolean): string {
  if (attempted === null) return 'CANCELLED'
  if (attempted.isDelivered) return 'DELIVERED'
  return isDead ? 'DEAD' : 'WAITING'
}

const is = ({ organizationId, channelId, alertId, number }: MessageKey): Sql =>
  sql`organization_id = ${organizationId} and channel_id = ${channelId} and alert_id = ${alertId} and number = ${number}`

/** Notifies the owners of an unreachable channel, at most once in two hours. */
function notifyOwners(taken: Taken, now: number): Sql {
  const { organizationId, channelId, rank, message } = taken
  const own = sql`organization_id = ${organizationId} and channel_id = ${channelId} and alert_id = 'owners'`
  return sql`insert into alert_messages (organization_id, channel_id, alert_id, number, message_id, kind,
      severity_rank, body, status, next_attempt_at, created_at)
    select ${organizationId}, ${channelId}, 'owners', count(*) + 1, ${newId('alert_message', now)}, 'OWNERS', ${rank},
      ${JSON.stringify(message.notices)}, 'WAITING', ${now}, ${now} from alert_messages where ${own}
    having coalesce(max(created_at), 0) <= ${now - limits.alertOwnersNotifiedMilliseconds} on conflict do nothing`
}
