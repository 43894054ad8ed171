import type { Config } from '../../config.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../database/database.ts'
import { integerOf, optionalTextOf, type Row, textOf } from '../database/row.ts'
import { sql } from '../database/sql.ts'
import { contentHashOf } from './content-hash.ts'
import { KeptArtifacts, type SharedBytes } from './kept-artifacts.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'

/** The parts of a change that `keep` reads. */
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
 * Content-addressed blobs, registered in the database. Their bytes are kept there too, or in an object store
 * where the deployment has one; what was registered before it had one stays where it is.
 */
export class Artifacts {
  readonly #database: Database
  readonly #objects: ObjectStore | null
  readonly #kept = new KeptArtifacts(limits.keptArtifactBytes)

  constructor(database: Database, config: Pick<Config, 'objectStore'>) {
    this.#database = database
    this.#objects = config.objectStore ? openObjectStore(config.objectStore) : null
  }

  /**
   * Keeps the bytes of a change's artifacts before the change commits. When it then does not, the object is
   * one that nobody names.
   *
   * @returns the change as it is to be committed
   * @throws StoreUnavailableError when the object store does not keep them
   */
  async keep<Change extends Keepable>(change: Change): Promise<Change> {
    const objects = this.#objects
    if (!objects || change.artifacts.length === 0) return change
    const { organizationId, at } = change
    const artifacts = await Promise.all(
      change.artifacts.map(async (artifact) => {
        const name = objectName(organizationId, artifact.contentHash)
        await objects.put(name, artifact.content, artifact.mediaType, at)
        return { ...artifact, isKeptOutside: true }
      }),
    )
    return { ...change, artifacts }
  }

  /**
   * The bytes of an artifact, unchecked, with what the register says of them; null when it is not registered.
   * Bytes that the object store has lost are null.
   *
   * @throws StoreUnavailableError when the object store does not answer
   */
  async stored(organizationId: string, contentHash: string): Promise<StoredArtifact | null> {
    const [rows = []] = await this.#database.tenant(organizationId, [
      sql`select encode(content, 'base64') as content, byte_length, media_type, producer from artifacts
        where organization_id = ${organizationId} and content_hash = ${contentHash} order by part`,
    ])
    const [first] = rows
    if (!first) return null
    const { mediaType, producer } = describedBy(first)
    const told = { mediaType, producer, byteLength: integerOf(first, 'byte_length') }
    if (optionalTextOf(first, 'content') === null) {
      const bytes = (await this.#objects?.get(objectName(organizationId, contentHash))) ?? null
      return { ...told, bytes }
    }
    const bytes = Buffer.concat(rows.map((row) => Buffer.from(textOf(row, 'content'), 'base64')))
    return { ...told, bytes }
  }

  /**
   * The bytes of an artifact, checked against their hash; null when the organization has none of it.
   *
   * @throws DamagedArtifactError when the bytes are not what was registered, or are lost
   */
  async find(organizationId: string, contentHash: string): Promise<Buffer | null> {
    return (await this.described(organizationId, contentHash))?.bytes ?? null
  }

  /**
   * The same in memory that threads share. Who reads them next while the process has room for them is given those that
   * were checked the first time.
   *
   * @throws DamagedArtifactError when the bytes are not what was registered, or are lost
   */
  findShared(organizationId: string, contentHash: string): Promise<SharedBytes | null> {
    return this.#kept.find(objectName(organizationId, contentHash), () =>
      this.find(organizationId, contentHash),
    )
  }

  /**
   * The same with what the register says of the bytes.
   *
   * @throws DamagedArtifactError when the bytes are not what was registered, or are lost
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
      throw new DamagedArtifactError(contentHash, 'its bytes have another hash')
    }
    return { ...stored, bytes }
  }

  /** What the register says of an artifact, without its bytes; null when the organization has none of it. */
  async registered(organizationId: string, contentHash: string): Promise<Registered | null> {
    const [rows = []] = await this.#database.tenant(organizationId, [
      sql`select media_type, producer from artifacts
        where organization_id = ${organizationId} and content_hash = ${contentHash} and part = 0`,
    ])
    return rows[0] ? describedBy(rows[0]) : null
  }
}

/** What the register says. */
export interface Registered {
  readonly mediaType: string
  /** The record that made it. */
  readonly producer: { resourceType: string; id: string; resourceVersion: string }
}

interface StoredArtifact extends Registered {
  /** Null where the object store has lost them. */
  readonly bytes: Buffer | null
  readonly byteLength: number
}

/** Bytes are lost, or are not those of their hash. */
export class DamagedArtifactError extends Error {
  constructor(contentHash: string, what: string) {
    super(`The artifact ${contentHash} is registered, and ${what}.`)
    this.name = 'DamagedArtifactError'
  }
}

function describedBy(row: Row): Registered {
  return { mediaType: textOf(row, 'media_type'), producer: JSON.parse(textOf(row, 'producer')) }
}

const objectName = (organizationId: string, contentHash: string) =>
  `${organizationId}/${contentHash}`
