import type { Config } from '../../config.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Change } from '../records/change.ts'
import { contentHashOf } from '../records/statements.ts'
import { type ObjectStore, openObjectStore } from './object-store.ts'

/**
 * Content-addressed blobs, registered in the database. Their bytes are kept there too, or in an object store
 * where the deployment has one; what was registered before it had one stays where it is.
 */
export class Artifacts {
  readonly #database: Database
  readonly #objects: ObjectStore | null

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
  async keep(change: Change): Promise<Change> {
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
  async stored(
    organizationId: string,
    contentHash: string,
  ): Promise<{ bytes: Buffer | null; byteLength: number } | null> {
    const [rows = []] = await this.#database.tenant(organizationId, [
      sql`select encode(content, 'base64') as content, byte_length from artifacts
        where organization_id = ${organizationId} and content_hash = ${contentHash} order by part`,
    ])
    const [first] = rows
    if (!first) return null
    const byteLength = Number(first.byte_length)
    if (first.content === null) {
      const bytes = (await this.#objects?.get(objectName(organizationId, contentHash))) ?? null
      return { bytes, byteLength }
    }
    const bytes = Buffer.concat(rows.map((row) => Buffer.from(row.content ?? '', 'base64')))
    return { bytes, byteLength }
  }

  /**
   * The bytes of an artifact, checked against their hash; null when the organization has none of it.
   *
   * @throws Error when the bytes are not what was registered, or are lost
   */
  async find(organizationId: string, contentHash: string): Promise<Buffer | null> {
    const stored = await this.stored(organizationId, contentHash)
    if (!stored) return null
    if (!stored.bytes) {
      throw new Error(
        `The artifact ${contentHash} is registered, and its bytes are not in the store.`,
      )
    }
    if (contentHashOf(stored.bytes) !== contentHash) {
      throw new Error(`The artifact ${contentHash} is not what was registered.`)
    }
    return stored.bytes
  }
}

const objectName = (organizationId: string, contentHash: string) =>
  `${organizationId}/${contentHash}`
