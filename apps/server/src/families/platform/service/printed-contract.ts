import { extensionDocument, openApiDocument } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { KeptText } from '../../../http/kept-text.ts'

interface Printed {
  /** The operations of the specification, and those beside them. */
  readonly document: KeptText
  readonly beside: KeptText
  readonly hash: string
}

let printed: Printed | null = null

/**
 * The contract as this release serves it, operations and schemas of both documents, and its hash: two nodes with the same
 * one take and give the same. Printed once.
 */
export function printedContract(): Printed {
  if (printed === null) {
    const [document, beside] = [openApiDocument(), extensionDocument()]
    printed = {
      document: new KeptText(JSON.stringify(document)),
      beside: new KeptText(JSON.stringify(beside)),
      hash: H('contract/v3', { document, beside }),
    }
  }
  return printed
}
