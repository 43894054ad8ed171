import { openApiDocument } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'

interface Printed {
  readonly text: string
  readonly hash: string
}

let printed: Printed | null = null

/**
 * The contract as this release serves it, operations and schemas alike, and its hash: two nodes with the same one take
 * and give the same. Printed once.
 */
export function printedContract(): Printed {
  if (printed === null) {
    const document = openApiDocument()
    printed = { text: JSON.stringify(document), hash: H('contract/v3', document) }
  }
  return printed
}
