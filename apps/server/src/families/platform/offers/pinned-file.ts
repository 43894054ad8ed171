import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { parseStrict } from '@liquidity-os/evidence'
import type { PinnedFile } from '../../../config.ts'
import { compileSchema } from '../../../http/validators.ts'
import { limits } from '../../../limits.ts'
import type { Services } from '../../../services.ts'

/** A file supplied by the operator, with its validation. */
export interface Offered<T> {
  /** Variable with the path of the file, for the log. */
  readonly variable: string
  readonly fileOf: (services: Pick<Services, 'config'>) => PinnedFile | null
  readonly schema: object
  /** Validation beyond the schema; null if valid. */
  readonly fault: (content: T) => string | null
}

const cache = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * Reads a file once per process. The configuration pins its hash, so new content needs new
 * configuration. Expired content is never returned.
 *
 * @returns null if the file is missing, its hash differs, its content is invalid (see the log), or
 * `validUntil` has passed
 */
export async function readOffered<T extends { validUntil: string }>(
  services: Pick<Services, 'config' | 'log'>,
  offered: Offered<T>,
  now: number,
): Promise<T | null> {
  const file = offered.fileOf(services)
  if (!file) return null
  const read = cache.get(services) ?? new Map<string, Promise<unknown>>()
  cache.set(services, read)
  const known = read.get(offered.variable) ?? readFile(services, offered, file)
  read.set(offered.variable, known)
  const content = (await known) as T | null
  return content && now < Date.parse(content.validUntil) ? content : null
}

async function readFile<T>(
  { log }: Pick<Services, 'log'>,
  { variable, schema, fault }: Offered<T>,
  { path, sha256 }: PinnedFile,
): Promise<T | null> {
  const refuse = (reason: string) => {
    log.warn({ variable, reason }, 'The file is not used; the operation returns NOT_CONFIGURED.')
    return null
  }
  try {
    const bytes = await bytesOf(path)
    if (!bytes) return refuse(`The file must have at most ${limits.offeredFileBytes} bytes.`)
    const hash = createHash('sha256').update(bytes).digest('hex')
    if (hash !== sha256)
      return refuse(`The SHA-256 of the file is ${hash}, but ${sha256} is pinned.`)
    const content = parseStrict(bytes)
    const faults = compileSchema(schema)(content)
    if (faults) return refuse(JSON.stringify(faults))
    const more = fault(content as T)
    return more ? refuse(more) : (content as T)
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

/** Null for a file that is too long; it is not read to its end. */
async function bytesOf(path: string): Promise<Buffer | null> {
  await using file = await open(path)
  const max = Buffer.alloc(limits.offeredFileBytes + 1)
  let length = 0
  while (length < max.length) {
    const { bytesRead } = await file.read(max, length)
    if (bytesRead === 0) return max.subarray(0, length)
    length += bytesRead
  }
  return null
}
