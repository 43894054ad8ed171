import type { ErrorCode, OperationOutline } from '@liquidity-os/contract/outline'
import type { Logger } from 'pino'
import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { join, sql } from '../store/database/sql.ts'
import { textBefore } from '../texts.ts'
import { minuteMilliseconds } from '../units.ts'

/**
 * Routes that call other hosts or read more than one row get a fraction of the client's limits.
 * Other routes get the full minute and burst limits.
 */
const kinds = {
  project: { paths: ['/public/projects/'], minutePart: 6, burstPart: 12 },
  discovery: {
    paths: ['/public/discovery/search', '/public/discovery/market/'],
    minutePart: 2,
    burstPart: 2,
  },
} as const
type Kind = keyof typeof kinds

/** Limits of one client for a kind of route: per minute and burst. */
export function publicLimitOf(kind: Kind, perMinute: number): { perMinute: number; burst: number } {
  const { minutePart, burstPart } = kinds[kind]
  const part = (parts: number) => Math.max(1, Math.floor(perMinute / parts))
  return { perMinute: part(minutePart), burst: part(burstPart) }
}

type LimitedOperation = Pick<OperationOutline, 'path' | 'errors'>

interface Burst {
  remaining: number
  at: number
}

/**
 * Use of one client in the current minute: the shared count in the database, and local requests not
 * yet reported.
 */
interface Use {
  shared: number
  unsynced: number
}

/**
 * Rate limits for clients without a credential. All nodes share counters through the database, but
 * no request waits for it. A node decides on its known counts and reports its own after the
 * response, batched in one statement. Public routes stay fast and remain limited while the database
 * is unavailable.
 */
export class PublicLimits {
  readonly #database: Database
  readonly #perMinute: number
  readonly #log: Logger
  #window = 0
  #uses = new Map<string, Use>()
  #bursts = new Map<string, Burst>()
  #isTelling = false

  constructor(database: Database, perMinute: number, log: Logger) {
    this.#database = database
    this.#perMinute = perMinute
    this.#log = log
  }

  /**
   * Counts one request of a client.
   *
   * @throws Failure 429 with the seconds until the next minute, with the error code of the
   * operation if it has one
   */
  admit(
    operation: LimitedOperation,
    { clientAddress }: { clientAddress: () => string },
    now: number,
  ) {
    const window = Math.floor(now / minuteMilliseconds) * minuteMilliseconds
    if (window !== this.#window || this.#uses.size > limits.publicClients) {
      this.#window = window
      this.#uses = new Map()
    }
    const kind = kindOf(operation)
    const own = kind && publicLimitOf(kind, this.#perMinute)
    const client = kind ? `${kind}|${clientOf(clientAddress())}` : clientOf(clientAddress())
    const use = this.#uses.get(client) ?? { shared: 0, unsynced: 0 }
    if (use.shared + use.unsynced >= (own?.perMinute ?? this.#perMinute)) {
      throw new Failure(busyCode(operation), {
        retryAfterSeconds: Math.ceil((window + minuteMilliseconds - now) / 1000),
      })
    }
    if (own) this.#burst(operation, client, own, now)
    use.unsynced += 1
    this.#uses.set(client, use)
    this.#tell()
  }

  /**
   * A token bucket that refills over one minute. It is per process, because it only smooths the
   * shared window.
   */
  #burst(
    operation: LimitedOperation,
    client: string,
    { perMinute, burst }: { perMinute: number; burst: number },
    now: number,
  ): void {
    if (this.#bursts.size > limits.publicClients) this.#bursts = new Map()
    const known = this.#bursts.get(client) ?? { remaining: burst, at: now }
    const filled = known.remaining + ((now - known.at) * perMinute) / minuteMilliseconds
    const remaining = Math.min(burst, filled)
    if (remaining < 1) {
      const waitSeconds = Math.ceil(((1 - remaining) * minuteMilliseconds) / perMinute / 1000)
      throw new Failure(busyCode(operation), { retryAfterSeconds: Math.max(1, waitSeconds) })
    }
    this.#bursts.set(client, { remaining: remaining - 1, at: now })
  }

  #tell(): void {
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => {
      void this.#send(this.#window, this.#uses)
        .catch((error: unknown) =>
          this.#log.warn({ err: error }, 'Public requests were not counted.'),
        )
        .finally(() => {
          this.#isTelling = false
        })
    })
  }

  async #send(window: number, uses: Map<string, Use>): Promise<void> {
    // Sorted by name, so that two nodes lock the same counters in one order and cannot deadlock.
    const counts = [...uses]
      .filter(([, { unsynced }]) => unsynced > 0)
      .map(([client, { unsynced: unreported }]) => ({ client, untold: unreported }))
      .sort((a, b) => (a.client < b.client ? -1 : 1))
      .slice(0, limits.reportedPublicClients)
    if (counts.length === 0) return
    const rows = counts.map(
      ({ client, untold: omitted }) => sql`(${`public|${client}`},${window},${omitted})`,
    )
    const [, updatedRows = []] = await this.#database.global([
      sql`set local synchronous_commit = off`,
      sql`insert into rate_windows as w (bucket, window_start, used) values ${join(rows)}
        on conflict (bucket, window_start) do update set used = w.used + excluded.used
        returning bucket, used`,
    ])
    const usedOf = new Map(updatedRows.map((row) => [row.bucket, Number(row.used)]))
    for (const { client, untold } of counts) {
      const use = uses.get(client)
      if (!use) continue
      use.unsynced -= untold
      use.shared = usedOf.get(`public|${client}`) ?? use.shared + untold
    }
  }
}

/** An IPv6 /64 counts as one client, because its owner can use any address in it. */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = textBefore(address, '%').split('::')
  const leadingGroups = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? [] : Array(8 - leadingGroups.length - right.length).fill('0')
  const groups = [...leadingGroups, ...zeros, ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

function kindOf({ path }: LimitedOperation): Kind | null {
  const found = Object.entries(kinds).find(([, { paths }]) =>
    paths.some((beginning) => path.startsWith(beginning)),
  )
  return (found?.[0] as Kind | undefined) ?? null
}

/** Public families define their own error code for rate-limited clients. */
function busyCode({ errors }: LimitedOperation): ErrorCode {
  return errors?.find((code) => code.endsWith('_BUSY')) ?? 'LIQUIDITY_RATE_LIMITED'
}
