import type { LooseRequest } from '@liquidity-os/client'
import type { Fault } from './judge.ts'

/** The request that first showed a finding, with the fewest changes that show it. */
export interface Example {
  /** The number of the request; null before the first. */
  readonly number: number | null
  readonly request: LooseRequest
  /** The start of its answer; empty if it got none. */
  readonly answer: string
  readonly detail: string
}

/** All answers of one operation that are wrong in the same way. */
export interface Finding {
  readonly operation: string
  readonly kind: string
  readonly times: number
  readonly example: Example
}

/** Counts wrong answers by operation and kind, and keeps one example of each. */
export class Findings {
  readonly #found = new Map<string, { finding: Omit<Finding, 'times'>; times: number }>()

  has(operation: string, { kind }: Fault): boolean {
    return this.#found.has(`${operation} ${kind}`)
  }

  /** @param example is kept if the finding is new */
  note(operation: string, { kind }: Fault, example: Example): void {
    const key = `${operation} ${kind}`
    const known = this.#found.get(key)
    if (known) known.times += 1
    else this.#found.set(key, { finding: { operation, kind, example }, times: 1 })
  }

  /** In the order of their first examples. */
  get all(): readonly Finding[] {
    return [...this.#found.values()].map(({ finding, times }) => ({ ...finding, times }))
  }
}
