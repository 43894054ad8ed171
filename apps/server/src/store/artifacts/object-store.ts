import type { S3mini } from 's3mini'
import type { ObjectStoreConfig } from '../../config.ts'
import { limits } from '../../limits.ts'
import { dayMilliseconds } from '../../units.ts'
import { StoreUnavailableError } from '../database/database.ts'

/** Blob store whose names are never reused for other content. */
export interface ObjectStore {
  /** @throws StoreUnavailableError if storage is not confirmed */
  put: (name: string, content: Uint8Array, mediaType: string, now: number) => Promise<void>
  /** The blob, or null if the name does not exist. */
  get: (name: string) => Promise<Buffer | null>
}

/**
 * An S3-compatible bucket. With days of object lock, no key of the deployment can delete or replace an
 * object before they have passed (compliance mode).
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html
 */
export function openObjectStore(config: ObjectStoreConfig): ObjectStore {
  // The client is loaded on first use, because most deployments store artifacts in the database.
  let client: Promise<S3mini> | null = null
  const bucket = () => {
    client ??= import('s3mini').then(
      ({ S3mini }) =>
        new S3mini({
          endpoint: config.url,
          region: config.region,
          accessKeyId: config.accessKey,
          secretAccessKey: config.secretKey,
          requestAbortTimeout: limits.outboundTimeoutMilliseconds,
        }),
    )
    return client
  }
  const callStore = async <T>(ask: (bucket: S3mini) => Promise<T>): Promise<T> => {
    try {
      return await ask(await bucket())
    } catch (cause) {
      throw new StoreUnavailableError(cause, { store: 'object store' })
    }
  }
  return {
    put: (name, content, mediaType, now) =>
      callStore(async (s3) => {
        // A second version of the same bytes would be retained, and billed, as long as the first.
        if ((await s3.objectExists(name)) === true) return
        const until = new Date(now + config.lockDays * dayMilliseconds).toISOString()
        const lock: Record<`x-amz-${string}`, string> =
          config.lockDays === 0
            ? {}
            : {
                'x-amz-object-lock-mode': 'COMPLIANCE',
                'x-amz-object-lock-retain-until-date': until,
                'x-amz-checksum-sha256': await sha256Base64(content),
              }
        const answer = await s3.putObject(name, content, mediaType, undefined, lock)
        if (!answer.ok) throw new Error(`The object store returned HTTP ${answer.status}.`)
      }),
    get: (name) =>
      callStore(async (s3) => {
        const content = await s3.getObjectArrayBuffer(name)
        return content === null ? null : Buffer.from(content)
      }),
  }
}

async function sha256Base64(content: Uint8Array): Promise<string> {
  const { hash } = await import('node:crypto')
  return hash('sha256', content, 'base64')
}
