import { openRecord } from '@liquidity-os/evidence'
import { limits } from '../../limits.ts'
import { integerOf, type Row, textOf } from '../database/row.ts'

/** Location of a stored text, which its content must confirm. */
export interface TextLocation {
  readonly organizationId: string
  readonly id: string
  readonly sequence: number
}

interface Opened extends TextLocation {
  readonly text: string
  readonly status: string
}

/**
 * Verifies stored texts on read: that they equal what was sealed, and that they are at the right
 * location. Versions are immutable, so an identical text is not hashed again.
 */
export class VerifiedTexts {
  readonly #texts = new Map<string, Opened>()

  /**
   * Stored text of a head row with its body. Also checks that the record and the head's state
   * match.
   *
   * @throws EvidenceError if it differs from the sealed version; Error for another record or state
   */
  check(row: Row, organizationId: string): string {
    const [text, resourceVersion] = [textOf(row, 'body'), textOf(row, 'resource_version')]
    const place = { organizationId, id: textOf(row, 'id'), sequence: integerOf(row, 'sequence') }
    const { status } = this.version(text, resourceVersion, place)
    if (status !== textOf(row, 'status')) {
      throw new Error(`The head of ${place.id} has status ${row.status}, but its record ${status}.`)
    }
    return text
  }

  /**
   * A stored text as one version of a record.
   *
   * @throws EvidenceError if it differs from the sealed version; Error if it belongs elsewhere
   */
  version(text: string, resourceVersion: string, place: TextLocation): { status: string } {
    const opened = this.#opened(text, resourceVersion)
    assertPlace(opened, place)
    return opened
  }

  #opened(text: string, resourceVersion: string): Opened {
    const known = this.#texts.get(resourceVersion)
    if (known?.text === text) return known
    const record = openRecord(text)
    if (record.resourceVersion !== resourceVersion) {
      throw new Error(`The head of ${record.id} names a version other than its record.`)
    }
    if (this.#texts.size >= limits.verifiedTexts) {
      for (const oldest of this.#texts.keys()) {
        this.#texts.delete(oldest)
        break
      }
    }
    const { id, sequence, organizationId, status } = record
    const opened = { text, id, sequence, organizationId, status }
    this.#texts.set(resourceVersion, opened)
    return opened
  }
}

/** @throws Error if another text replaced the original */
export function assertPlace(found: TextLocation, place: TextLocation): void {
  if (
    found.id === place.id &&
    found.sequence === place.sequence &&
    found.organizationId === place.organizationId
  ) {
    return
  }
  throw new Error(
    `Version ${found.sequence} of ${found.id} is stored in place of version ${place.sequence} of ${place.id}.`,
  )
}
