import type { Config } from '../../config.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../database/database.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../database/row.ts'
import { sql } from '../database/sql.ts'
import { ArtifactCache, type SharedBytes } from './cached-artifacts.ts'
import { contentHashOf } from './content-hash.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'

/** The parts of a change that `keep` uses. */
interface Keepable {
  readonly organizationId: string
  readonly at: number
  readonly artifacts: readonly {
    readonly contentHash: string
    readonly mediaType: string
    readonly content: Uint8Array
  }[]
}

/**
 * Content-addressed blobs, registered in the database. The bytes are in the database or, if
 * configured, in an object store. Blobs registered before that stay in the database.
 */
export class Artifacts {
  readonly #database: Database
  readonly #objects: ObjectStore | null
  readonly #cache = new ArtifactCache(limits.artifactCacheBytes)

  constructor(database: Database, config: Pick<Config, 'objectStore'>) {
    this.#database = database
    this.#objects = config.objectStore ? openObjectStore(config.objectStore) : null
  }

  /**
   * Stores the artifact bytes of a change before it commits. If the commit fails, the object stays
   * unreferenced.
   *
   * @returns the change to commit
   * @throws StoreUnavailableError if the object store fails
   */
  async keep<Change extends Keepable>(change: Change): Promise<Change> {
    const objects = this.#objects
    if (!objects || change.artifacts.length === 0) return change
    const { organizationId, at } = change
    const artifacts = await Promise.all(
      change.artifacts.map(async (artifact) => {
        const name = objectName(organizationId, artifact.contentHash)
        await objects.put(name, artifact.content, artifact.mediaType, at)
        return { ...artifact, isExternal: true }
      }),
    )
    return { ...change, artifacts }
  }

  /**
   * Unverified bytes of an artifact with its registration; null if unregistered. Bytes that the
   * object store lost are null.
   *
   * @throws StoreUnavailableError if the object store does not respond
   */
  async stored(organizationId: string, contentHash: string): Promise<StoredArtifact | null> {
    const [rows = []] = await this.#database.tenant(organizationId, [
      sql`select encode(content, 'base64') as content, byte_length, media_type, producer from artifacts
        where organization_id = ${organizationId} and content_hash = ${contentHash} order by part`,
    ])
    const [first] = rows
    if (!first) return null
    const { mediaType, producer } = describedBy(first)
    const metadata = { mediaType, producer, byteLength: integerOf(first, 'byte_length') }
    if (optionalTextOf(first, 'content') === null) {
      const bytes = (await this.#objects?.get(objectName(organizationId, contentHash))) ?? null
      return { ...metadata, bytes }
    }
    const bytes = Buffer.concat(rows.map((row) => Buffer.from(textOf(row, 'content'), 'base64')))
    return { ...metadata, bytes }
  }

  /**
   * Bytes of an artifact, verified against their hash. Null if the organization does not have it.
   *
   * @throws DamagedArtifactError if the bytes are lost or differ from the hash
   */
  async find(organizationId: string, contentHash: string): Promise<Buffer | null> {
    return (await this.described(organizationId, contentHash))?.bytes ?? null
  }

  /**
   * The same in memory shared between threads. Later readers get the already verified bytes, up to
   * the cache size.
   *
   * @throws DamagedArtifactError if the bytes are lost or differ from the hash
   */
  findShared(organizationId: string, contentHash: string): Promise<SharedBytes | null> {
    return this.#cache.find(objectName(organizationId, contentHash), () =>
      this.find(organizationId, contentHash),
    )
  }

  /**
   * The same with the registration.
   *
   * @throws DamagedArtifactError if the bytes are lost or differ from the hash
   */
  async described(
    organizationId: string,
    contentHash: string,
  ): Promise<(StoredArtifact & { bytes: Buffer }) | null> {
    const stored = await this.stored(organizationId, contentHash)
    if (!stored) return null
    const { bytes } = stored
    if (!bytes) throw new DamagedArtifactError(contentHash, 'its bytes are not in the store')
    if (contentHashOf(bytes) !== contentHash) {
      throw new DamagedArtifactError(contentHash, 'its bytes do not match its hash')
    }
    return { ...stored, bytes }
  }

  /** Registration of an artifact without its bytes; null if the organization does not have it. */
  async registered(organizationId: string, contentHash: string): Promise<Registered | null> {
    const [rows = []] = await this.#database.tenant(organizationId, [
      sql`select media_type, producer from artifacts
        where organization_id = ${organizationId} and content_hash = ${contentHash} and part = 0`,
    ])
    return rows[0] ? describedBy(rows[0]) : null
  }
}

export interface Registered {
  readonly mediaType: string
  /** The record that created it. */
  readonly producer: { resourceType: string; id: string; resourceVersion: string }
}

interface StoredArtifact extends Registered {
  /** Null if the object store lost the bytes. */
  readonly bytes: Buffer | null
  readonly byteLength: number
}

/** Bytes are missing or do not match their hash. */
export class DamagedArtifactError extends Error {
  constructor(contentHash: string, what: string) {
    super(`The artifact ${contentHash} is registered, but ${what}.`)
    this.name = 'DamagedArtifactError'
  }
}

function describedBy(row: Row): Registered {
  return { mediaType: textOf(row, 'media_type'), producer: JSON.parse(textOf(row, 'producer')) }
}

const objectName = (organizationId: string, contentHash: string) =>
  `${organizationId}/${contentHash}`
