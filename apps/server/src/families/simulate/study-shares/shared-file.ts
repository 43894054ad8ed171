import type { Outcome } from '../../../http/handler.ts'
import type { SharedFile } from './shown-shares.ts'

/** A file of a share as a response: under its hash, and excluded from search engines. */
export function sharedFile(
  { content, hash, mediaType }: SharedFile,
  { ending, isShown }: { readonly ending: string; readonly isShown: boolean },
): Outcome {
  const name = `study-${hash.slice(2, 10)}.${ending}`
  return {
    bytes: content,
    etag: hash,
    headers: {
      'content-type': mediaType,
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename="${name}"`,
      'x-robots-tag': 'noindex',
    },
  }
}
