/** Remembers the latest members up to a bound, and up to as many older ones. */
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
