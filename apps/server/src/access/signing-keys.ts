import {
  exportPrivateKey,
  generatePrivateKey,
  importPrivateKey,
  type PrivateKey,
} from '@liquidity-os/evidence'
import type { Database } from '../store/database/database.ts'
import { integerOf, optionalTextOf, textOf } from '../store/database/row.ts'
import { type Sql, sql } from '../store/database/sql.ts'
import type { Sealing } from './sealing.ts'

/** Purpose of a deployment key: sign as the service, or sign checkpoints of the proof log. */
export type KeyPurpose = 'service' | 'log'

export interface PublishedKey {
  keyId: string
  /** The 32 raw bytes in base64. */
  publicKey: string
  createdAt: string
  /** Null for the key in use. */
  retiredAt: string | null
}

/**
 * Signing key of the deployment. Created on first use and stored encrypted in the database, so all
 * processes share it across restarts.
 */
export class SigningKeys {
  readonly #database: Database
  readonly #sealing: Sealing
  readonly #purpose: KeyPurpose

  constructor(database: Database, sealing: Sealing, purpose: KeyPurpose = 'service') {
    this.#database = database
    this.#sealing = sealing
    this.#purpose = purpose
  }

  /** The key in use. @throws Error when it was sealed with a key that this deployment does not have */
  async current(now: number): Promise<PrivateKey> {
    const found = await this.#find(inUse)
    if (found) return found
    // Of two processes that make one at once the first wins, and both then read it.
    await this.#database.global([
      sql`${this.#insertion(generatePrivateKey(), now)} on conflict do nothing`,
    ])
    const stored = await this.#find(inUse)
    if (!stored) throw new Error('The signing key was not stored.')
    return stored
  }

  /**
   * A current or retired key, by its public half: 32 raw bytes in base64.
   *
   * @throws Error if the deployment lacks its private half
   */
  async of(publicKey: string): Promise<PrivateKey> {
    const found = await this.#find(sql`public_key = ${publicKey}`)
    if (!found) throw new Error(`The private key of ${publicKey} is missing.`)
    return found
  }

  /**
   * Creates a key and the change that replaces the current one. The transaction fails (LQ001) if
   * another process replaced it first.
   */
  replacement(replaced: PrivateKey, now: number): { key: PrivateKey; statements: Sql[] } {
    const key = generatePrivateKey()
    const retired = sql`with retired as (update signing_keys set retired_at = ${now}
        where purpose = ${this.#purpose} and key_id = ${replaced.publicKey.keyId} and ${inUse} returning 1)
      select require_expected(count(*) = 1) from retired`
    return { key, statements: [retired, this.#insertion(key, now)] }
  }

  #insertion(key: PrivateKey, now: number): Sql {
    const { keyId, raw } = key.publicKey
    const sealed = this.#sealing.seal(exportPrivateKey(key), placeOf(keyId))
    return sql`insert into signing_keys (key_id, purpose, public_key, sealed_private_key, created_at)
      values (${keyId}, ${this.#purpose}, ${raw}, ${sealed}, ${now})`
  }

  async #find(which: Sql): Promise<PrivateKey | null> {
    const [rows = []] = await this.#database.global([
      sql`select key_id, public_key, sealed_private_key from signing_keys
        where purpose = ${this.#purpose} and ${which}`,
    ])
    const [row] = rows
    if (!row) return null
    const keyId = textOf(row, 'key_id')
    const key = importPrivateKey(
      this.#sealing.open(textOf(row, 'sealed_private_key'), placeOf(keyId)),
    )
    if (key.publicKey.raw !== textOf(row, 'public_key')) {
      throw new Error(`The signing key ${keyId} differs from the registered key.`)
    }
    return key
  }
}

/** All public keys of the deployment for a purpose, the current one first. */
export async function publishedKeys(
  database: Database,
  purpose: KeyPurpose = 'service',
): Promise<PublishedKey[]> {
  const [rows = []] = await database.global([
    sql`select key_id, public_key, created_at, retired_at from signing_keys
      where purpose = ${purpose} order by retired_at desc nulls first, key_id`,
  ])
  const time = (milliseconds: number) => new Date(milliseconds).toISOString()
  return rows.map((row) => ({
    keyId: textOf(row, 'key_id'),
    publicKey: textOf(row, 'public_key'),
    createdAt: time(integerOf(row, 'created_at')),
    retiredAt:
      optionalTextOf(row, 'retired_at') === null ? null : time(integerOf(row, 'retired_at')),
  }))
}

const inUse = sql`retired_at is null`

/** Encryption context of a key. */
const placeOf = (keyId: string) => `signing-key:${keyId}`
