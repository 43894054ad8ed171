import { openEvent } from '@liquidity-os/evidence'
import { organizationUrl } from '../../config.ts'
import { limits } from '../../limits.ts'
import type { ProviderAccess, RecordSweeping, Services } from '../../services.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../../store/database/row.ts'
import { type Sql, sql } from '../../store/database/sql.ts'
import { emptyChange } from '../../store/records/change.ts'
import { TenantRecords } from '../../store/records/tenant-records.ts'
import { type AttemptResult, attemptDelivery } from './attempt.ts'
import {
  callNext,
  type DeliveryKey,
  type DueDelivery,
  putOffFollowers,
  readDue,
  selectDue,
} from './due-deliveries.ts'
import { delayForReceiver, nextAttemptDelay } from './retry-schedule.ts'
import { signWebhook } from './standard-webhooks.ts'
import { secretPlace, type WebhookPayload } from './subscription.ts'

const leaseMilliseconds = 2 * limits.webhookTimeoutMilliseconds

/** A leased delivery with all its data. */
interface Taken extends DeliveryKey {
  messageId: string
  attempt: number
  /** Attempts before a requested resend; not counted. */
  attemptsBefore: number
  replayId: string | null
  url: string
  secrets: string[]
  ownerId: string
  failingSince: number | null
  event: string
  /** The newest version of its subject; null if that has no record. */
  about: string | null
}

interface InFlight {
  organizationId: string
  webhookId: string
  host: string
  isReplay: boolean
  work: Promise<void>
}

/** Sends the deliveries of the outbox and disables failing receivers. */
type WebhookSending = RecordSweeping &
  ProviderAccess &
  Pick<Services, 'committed' | 'config' | 'leaseClock' | 'mailer'>

/**
 * Delivers the outbox. Polling finds every committed event, even after a crash. A lease prevents
 * two workers from sending the same delivery, and a receiver gets the events of a subject in order.
 * Deliveries run in parallel, limited per receiver, organization and host, so a hanging receiver
 * does not block others.
 */
export class WebhookDispatcher {
  readonly #services: WebhookSending
  readonly #inFlight = new Map<string, InFlight>()
  readonly #telling = new Set<Promise<void>>()
  #scan: Promise<number> | null = null
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(services: WebhookSending) {
    this.#services = services
  }

  start(): void {
    this.#services.committed.on('change', this.#hear)
    this.#timer = setInterval(this.#hear, limits.webhookDispatchMilliseconds)
    this.#timer.unref()
  }

  /** Accepts no new deliveries and waits for those in flight. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#services.committed.off('change', this.#hear)
    if (this.#timer) clearInterval(this.#timer)
    await this.#scan?.catch(() => 0)
    await Promise.all([...this.#inFlight.values()].map(({ work }) => work))
    await Promise.all(this.#telling)
  }

  readonly #hear = () => {
    void this.#startDue().catch((error: unknown) =>
      this.#services.log.warn({ err: error }, 'Webhook dispatch failed; the service retries.'),
    )
  }

  async dispatch(): Promise<void> {
    while (!this.#isStopped) {
      const started = await this.#startDue()
      if (started === 0 && this.#inFlight.size === 0) break
      await Promise.race([...this.#inFlight.values()].map(({ work }) => work))
    }
    await Promise.all(this.#telling)
  }

  /** Starts every due delivery with a free slot; one queue scan at a time. */
  #startDue(): Promise<number> {
    this.#scan ??= this.#start().finally(() => {
      this.#scan = null
    })
    return this.#scan
  }

  async #start(): Promise<number> {
    if (this.#isStopped || this.#inFlight.size >= limits.webhookBatch) return 0
    let started = 0
    for (const key of this.#inTurn(await this.#due())) {
      const name = [key.organizationId, key.webhookId, key.subjectId, key.sequence].join('|')
      const others = [...this.#inFlight.values()].filter(
        ({ webhookId }) => webhookId === key.webhookId,
      )
      const hasCapacity =
        this.#inFlight.size < limits.webhookBatch &&
        others.length < limits.webhookBatchPerReceiver &&
        this.#countOf('organizationId', key.organizationId) < limits.webhookBatchPerOrganization &&
        this.#countOf('host', key.host) < limits.webhookBatchPerHost
      if (this.#isStopped || !hasCapacity || this.#inFlight.has(name)) continue
      const work = this.#deliver(key)
        .catch((error: unknown) =>
          this.#services.log.warn(
            { err: error },
            'A webhook delivery failed; the service retries.',
          ),
        )
        .then(() => {
          this.#inFlight.delete(name)
        })
      const { organizationId, webhookId, host, isReplay } = key
      this.#inFlight.set(name, { organizationId, webhookId, host, isReplay, work })
      started += 1
      // Scan again at once for the next event of the subject, and for deliveries that had no slot.
      if (this.#timer) void work.then(this.#hear)
    }
    return started
  }

  #countOf(whose: 'organizationId' | 'host', value: string): number {
    return [...this.#inFlight.values()].filter((one) => one[whose] === value).length
  }

  /**
   * Organizations or hosts without free slots. Their other due deliveries would hide those of
   * others.
   */
  #full(whose: 'organizationId' | 'host', places: number): string[] {
    const known = new Set([...this.#inFlight.values()].map((one) => one[whose]))
    return [...known].filter((value) => this.#countOf(whose, value) >= places)
  }

  /**
   * Replays and live events share the slots of a receiver; the group with fewer slots in use goes
   * first.
   */
  #inTurn(due: readonly DueDelivery[]): DueDelivery[] {
    const turnOf = ({ webhookId, isReplay, place: index }: DueDelivery) =>
      index +
      [...this.#inFlight.values()].filter(
        (other) => other.webhookId === webhookId && other.isReplay === isReplay,
      ).length
    return due
      .map((key) => ({ key, turn: turnOf(key) }))
      .sort((a, b) => a.turn - b.turn)
      .map(({ key }) => key)
  }

  async #due(): Promise<DueDelivery[]> {
    const { clock, leaseClock, database } = this.#services
    const [, rows = []] = await database.dispatch([
      // The planner assumes that the front is as long as the whole backlog, and would JIT-compile
      // the statement.
      sql`set local jit = off`,
      selectDue(
        { now: clock(), leased: leaseClock.read() },
        {
          organizations: this.#full('organizationId', limits.webhookBatchPerOrganization),
          hosts: this.#full('host', limits.webhookBatchPerHost),
        },
      ),
    ])
    return rows.map(readDue)
  }

  async #deliver(key: DeliveryKey): Promise<void> {
    const taken = await this.#take(key)
    if (!taken) return
    const now = this.#services.clock()
    const timestamp = Math.floor(now / 1000)
    // A tampered event is never signed and sent.
    const { occurredAt, kind } = openEvent(taken.event)
    const body = `{"type":${JSON.stringify(kind)},"timestamp":${JSON.stringify(occurredAt)},"data":${taken.event}}`
    const result = await attemptDelivery(await this.#services.outbound(), {
      url: taken.url,
      body,
      about: taken.about,
      headers: {
        ...signWebhook(taken.messageId, timestamp, body, taken.secrets),
        ...(taken.replayId === null ? {} : { 'webhook-replay': taken.replayId }),
      },
    })
    await this.#record(taken, result)
  }

  /** Takes the lease; null when another worker has it or the subscription is not active. */
  async #take(key: DeliveryKey): Promise<Taken | null> {
    const { database, clock, leaseClock, sealing } = this.#services
    const { organizationId, webhookId } = key
    const now = clock()
    const leased = leaseClock.read()
    const [claimed, , events, subjects] = await database.tenant(organizationId, [
      sql`update webhook_deliveries d set lease_until = ${leased + leaseMilliseconds}, attempts = d.attempts + 1
        from webhook_subscriptions s where ${this.#is(key, 'd.')} and d.status = 'WAITING'
        and (d.lease_until is null or d.lease_until < ${leased})
        and s.organization_id = ${organizationId} and s.id = ${webhookId} and s.status = 'ACTIVE'
        returning d.message_id, d.attempts, d.attempts_before, d.replay_id, s.url, s.secret, s.previous_secret, s.previous_secret_until,
          s.owner_id, s.failing_since`,
      sql`update webhook_deliveries d set next_attempt_at = ${now + limits.webhookPausedMilliseconds}
        from webhook_subscriptions s where ${this.#is(key, 'd.')} and d.status = 'WAITING'
        and s.organization_id = ${organizationId} and s.id = ${webhookId} and s.status <> 'ACTIVE'`,
      sql`select body from events where organization_id = ${organizationId}
        and subject_id = ${key.subjectId} and sequence = ${key.sequence}`,
      sql`select body from records where organization_id = ${organizationId}
        and id = ${key.subjectId} order by sequence desc limit 1`,
    ])
    const row = claimed?.[0]
    const event = events?.[0]?.body
    if (!row || !event) return null
    const place = secretPlace(organizationId, webhookId)
    const failingSince = optionalTextOf(row, 'failing_since')
    return {
      ...key,
      messageId: textOf(row, 'message_id'),
      attempt: integerOf(row, 'attempts'),
      attemptsBefore: integerOf(row, 'attempts_before'),
      replayId: optionalTextOf(row, 'replay_id'),
      url: textOf(row, 'url'),
      secrets: secretsOf(row, now).map((sealed) => sealing.open(sealed, place)),
      ownerId: textOf(row, 'owner_id'),
      failingSince: failingSince === null ? null : Number(failingSince),
      event,
      about: subjects?.[0] ? textOf(subjects[0], 'body') : null,
    }
  }

  #is(key: DeliveryKey, alias = ''): Sql {
    const column = (name: string) => ({ text: `${alias}${name}` })
    return sql`${column('organization_id')} = ${key.organizationId} and ${column('webhook_id')} = ${key.webhookId}
      and ${column('subject_id')} = ${key.subjectId} and ${column('event_sequence')} = ${key.sequence}`
  }

  async #record(taken: Taken, result: AttemptResult): Promise<void> {
    const { database, clock } = this.#services
    const now = clock()
    const { organizationId, webhookId } = taken
    const isSuccess = result.outcome === 'DELIVERED'
    const attempts = taken.attempt - taken.attemptsBefore
    const scheduled = isSuccess ? null : nextAttemptDelay(attempts, Math.random())
    const delay = delayForReceiver(scheduled, result.retryAfter, now)
    const isGone = result.outcome === 'GONE'
    const isDead = !isSuccess && (delay === null || isGone)
    const status = isSuccess ? 'DELIVERED' : isDead ? 'DEAD' : 'WAITING'
    const isFailing =
      taken.failingSince !== null && now - taken.failingSince > limits.webhookFailingMilliseconds
    // Pause before recording: a crash in between then causes a retry, not a subscription that
    // continues.
    if (isGone || (!isSuccess && isFailing)) await this.#pause(taken, isGone ? 'GONE' : 'FAILING')
    await database.tenant(organizationId, [
      sql`insert into webhook_attempts (organization_id, webhook_id, subject_id, event_sequence, attempt, at,
          outcome, status, duration_milliseconds, error_code, answer_head)
        values (${organizationId}, ${webhookId}, ${taken.subjectId}, ${taken.sequence}, ${taken.attempt}, ${now},
          ${result.outcome}, ${result.status}, ${result.durationMs}, ${result.errorCode}, ${result.responseHead})
        on conflict do nothing`,
      sql`update webhook_deliveries set status = ${status}, lease_until = null,
        next_attempt_at = ${now + (delay ?? 0)} where ${this.#is(taken)} and attempts = ${taken.attempt}`,
      status === 'WAITING' ? putOffFollowers(taken, now + (delay ?? 0)) : callNext(taken, now),
      isSuccess
        ? sql`update webhook_subscriptions set failing_since = null where organization_id = ${organizationId} and id = ${webhookId}`
        : sql`update webhook_subscriptions set failing_since = coalesce(failing_since, ${now}) where organization_id = ${organizationId} and id = ${webhookId}`,
    ])
    // A mail server that hangs must not delay deliveries.
    if (isDead) this.#tell(taken)
  }

  #tell(taken: Taken): void {
    const notifying = this.#tellOwner(taken)
      .catch((error: unknown) =>
        this.#services.log.error({ err: error }, 'Failed to email the owner of a webhook.'),
      )
      .then(() => {
        this.#telling.delete(notifying)
      })
    this.#telling.add(notifying)
  }

  /** Pauses a subscription whose receiver has returned 410; its history states the reason. */
  async #pause(taken: Taken, because: 'GONE' | 'FAILING'): Promise<void> {
    const { organizationId, webhookId } = taken
    const { database, clock, verified, committer, artifacts } = this.#services
    const records = new TenantRecords({
      purpose: 'JOB',
      organizationId,
      actor: { kind: 'SYSTEM', id: 'webhook-delivery' },
      now: clock(),
      database,
      verified,
      artifacts,
    })
    const current = await records.current<WebhookPayload>('Webhook', webhookId)
    if (current?.record.status !== 'ACTIVE') return
    const { change } = records.supersede(current, {
      status: 'PAUSED',
      payload: { ...current.record.payload, pausedBecause: because },
      reason:
        because === 'GONE'
          ? 'The receiver returned 410 Gone'
          : 'No delivery succeeded for five days',
      event: 'webhook.paused',
      eventPayload: { because },
    })
    await committer.commit({
      ...emptyChange(organizationId, clock()),
      ...change,
      statements: [
        sql`update webhook_subscriptions set status = 'PAUSED' where organization_id = ${organizationId} and id = ${webhookId}`,
      ],
    })
  }

  async #tellOwner(taken: Taken): Promise<void> {
    const { database, mailer, config } = this.#services
    const [users] = await database.global([
      sql`select email from users where id = ${taken.ownerId}`,
    ])
    const email = users?.[0]?.email
    if (!email) return
    await (await mailer()).sendDeliveryDeadLetter({
      to: email,
      webhookId: taken.webhookId,
      messageId: taken.messageId,
      url: taken.url,
      address: `${organizationUrl(config, taken.organizationId)}/go/${taken.webhookId}`,
      attempts: taken.attempt - taken.attemptsBefore,
    })
  }
}

/** The newest secret, and the previous one during its overlap. */
function secretsOf(row: Row, now: number): string[] {
  const previous = optionalTextOf(row, 'previous_secret')
  const overlaps = previous !== null && integerOf(row, 'previous_secret_until') > now
  return [textOf(row, 'secret'), ...(overlaps ? [previous] : [])]
}
