/**
 * Set of the most recent values: holds `bound` values, and up to the same number of older ones.
 */
export class RecentSet {
  readonly #bound: number
  #young = new Set<string>()
  #old = new Set<string>()

  constructor(bound: number) {
    this.#bound = bound
  }

  has(member: string): boolean {
    return this.#young.has(member) || this.#old.has(member)
  }

  add(member: string): void {
    if (this.#young.size === this.#bound) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(member)
  }
}
