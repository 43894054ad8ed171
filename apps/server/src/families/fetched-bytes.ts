import { Failure } from '../failure.ts'
import type { Outcome } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { DamagedArtifactError } from '../store/artifacts/artifacts.ts'
import { textBefore } from '../texts.ts'

export interface FileTerms {
  /** Prefix of the file name, for example `study`. */
  readonly called: string
  /** File extension, without the dot. */
  readonly ending: string
  readonly isShown: boolean
}

/**
 * The bytes of an artifact as a response, verified against their hash.
 *
 * @throws Failure 404, or LIQUIDITY_ARTIFACT_DAMAGED
 */
export async function fetchedBytes(
  { artifacts }: Pick<Services, 'artifacts'>,
  organizationId: string,
  contentHash: string,
  { called, ending, isShown }: FileTerms,
): Promise<Outcome> {
  const found = await artifacts.described(organizationId, contentHash).catch((cause: unknown) => {
    if (!(cause instanceof DamagedArtifactError)) throw cause
    throw new Failure('LIQUIDITY_ARTIFACT_DAMAGED', { cause })
  })
  if (!found) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
  const name = `${called}-${contentHash.slice(2, 10)}.${ending}`
  return {
    bytes: found.bytes,
    etag: contentHash,
    headers: {
      'content-type': found.mediaType,
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename="${name}"`,
    },
  }
}

/** File extension of a media type. */
export function endingOf(mediaType: string): string {
  return endings[textBefore(mediaType, ';')] ?? 'bin'
}

const endings: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'text/html': 'html',
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}
