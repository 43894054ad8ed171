/**
 * Party names for data that outlives its events. A substring of a sealed event would hold its whole
 * text block in memory. Few names recur often, so each is copied once.
 */
export class StoredNames {
  readonly #names = new Map<string, string>()

  /** A copy of the name that references no other memory. */
  of(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const copy = Buffer.from(name).toString()
    this.#names.set(copy, copy)
    return copy
  }
}
