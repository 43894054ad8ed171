/**
 * Names of who took part in events, for what is kept longer than the events are. A text of a sealed event is a part of the block
 * of lines from which it was read, and holds all of them in memory; the same few names come again and again, so each is
 * copied once.
 */
export class KeptNames {
  readonly #names = new Map<string, string>()

  /** The same name, which holds nothing else in memory. */
  of(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const copy = Buffer.from(name).toString()
    this.#names.set(copy, copy)
    return copy
  }
}
