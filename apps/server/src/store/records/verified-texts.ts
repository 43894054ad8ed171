import { openRecord } from '@liquidity-os/evidence'

// About 20 MB of texts at the most.
const maximumTexts = 10_000

/**
 * Stored texts are verified when they come back. A version is immutable, so a text that was verified once
 * and is equal to the letter need not be hashed again.
 */
export class VerifiedTexts {
  readonly #texts = new Map<string, string>()

  /** @throws EvidenceError when the stored text is not what was sealed under this version */
  check(text: string, resourceVersion: string): string {
    if (this.#texts.get(resourceVersion) === text) return text
    const record = openRecord(text)
    if (record.resourceVersion !== resourceVersion) {
      throw new Error(`The head of ${record.id} names another version than its record.`)
    }
    if (this.#texts.size >= maximumTexts) {
      for (const oldest of this.#texts.keys()) {
        this.#texts.delete(oldest)
        break
      }
    }
    this.#texts.set(resourceVersion, text)
    return text
  }
}
