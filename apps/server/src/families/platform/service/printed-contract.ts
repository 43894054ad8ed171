import { extensionDocument, openApiDocument } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { CachedText } from '../../../http/cached-text.ts'

interface Printed {
  /** API operations, and operations outside the specification. */
  readonly document: CachedText
  readonly extension: CachedText
  readonly hash: string
}

let printed: Printed | null = null

/**
 * The release's contract: operations and schemas of both documents, with a hash. Nodes with equal
 * hashes accept and return the same. Printed once.
 */
export function printedContract(): Printed {
  if (printed === null) {
    const [document, extension] = [openApiDocument(), extensionDocument()]
    printed = {
      document: new CachedText(JSON.stringify(document)),
      extension: new CachedText(JSON.stringify(extension)),
      hash: H('contract/v3', { document, beside: extension }),
    }
  }
  return printed
}
