/** An answer below 500. */
export interface Answer {
  readonly status: number
  readonly text: string
  /** True if the service found it under the key of the request. */
  readonly isReplayed: boolean
}

interface Violation {
  readonly detail: string
  times: number
}

/** Characters of a request and of an answer that a violation quotes. */
export const maxQuoted = 400

/** Counts answers, and keeps each kind of violation with its first example. */
export class Answers {
  /** How often each outcome came, by `node operation status`. */
  readonly counts = new Map<string, number>()
  readonly #violations = new Map<string, Violation>()

  count(outcome: string): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1)
  }

  /** @param kind what equal violations have in common */
  blame(kind: string, detail: string): void {
    const known = this.#violations.get(kind)
    if (known) known.times += 1
    else this.#violations.set(kind, { detail, times: 1 })
  }

  get violations(): readonly string[] {
    return [...this.#violations].map(
      ([kind, { detail, times }]) =>
        `${kind}, ${times === 1 ? 'once' : `${times} times`}; ${detail}`,
    )
  }
}
