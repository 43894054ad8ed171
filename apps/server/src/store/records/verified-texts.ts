import { openRecord } from '@liquidity-os/evidence'
import { limits } from '../../limits.ts'
import { type Row, textOf } from '../database/row.ts'

/**
 * Stored texts are verified when they come back. A version is immutable, so a text that was verified once
 * and is equal to the letter need not be hashed again.
 */
export class VerifiedTexts {
  readonly #texts = new Map<string, { text: string; status: string }>()

  /**
   * The stored text of a row of a head with its body.
   *
   * @throws EvidenceError when it is not what was sealed under this version, Error where the head says another state
   */
  check(row: Row): string {
    const [text, resourceVersion] = [textOf(row, 'body'), textOf(row, 'resource_version')]
    const { status } = this.#opened(text, resourceVersion)
    if (status !== textOf(row, 'status')) {
      throw new Error(`The head of ${row.id} says ${row.status}, but its record ${status}.`)
    }
    return text
  }

  #opened(text: string, resourceVersion: string): { text: string; status: string } {
    const known = this.#texts.get(resourceVersion)
    if (known?.text === text) return known
    const record = openRecord(text)
    if (record.resourceVersion !== resourceVersion) {
      throw new Error(`The head of ${record.id} names another version than its record.`)
    }
    if (this.#texts.size >= limits.verifiedTexts) {
      for (const oldest of this.#texts.keys()) {
        this.#texts.delete(oldest)
        break
      }
    }
    const opened = { text, status: record.status }
    this.#texts.set(resourceVersion, opened)
    return opened
  }
}
