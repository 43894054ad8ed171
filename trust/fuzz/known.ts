const idForm = /\b([a-z]+(?:_[a-z]+)*)_[0-9a-f]{32}\b/g

/** What one organization was shown: its ids, and the newest version of each record. */
export class Known {
  readonly #byPrefix = new Map<string, string[]>()
  readonly #all = new Set<string>()
  readonly #versions = new Map<string, string>()

  /** Ids in the order in which they were seen. */
  get ids(): readonly string[] {
    return [...this.#all]
  }

  has(id: string): boolean {
    return this.#all.has(id)
  }

  versionOf(id: string): string | undefined {
    return this.#versions.get(id)
  }

  /** @param prefix of the ids, for instance `venue` */
  ofKind(prefix: string): readonly string[] {
    return this.#byPrefix.get(prefix) ?? []
  }

  /** @param text an answer that was a success */
  learn(text: string): void {
    for (const id of idsIn(text)) this.#add(id)
    if (text.startsWith('{')) this.#learnVersions(JSON.parse(text))
  }

  #add(id: string): void {
    if (this.#all.has(id)) return
    this.#all.add(id)
    const prefix = id.slice(0, id.lastIndexOf('_'))
    const known = this.#byPrefix.get(prefix)
    if (known) known.push(id)
    else this.#byPrefix.set(prefix, [id])
  }

  #learnVersions(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    const { id, resourceVersion, payload } = value as Record<string, unknown>
    const isRecord =
      typeof id === 'string' && typeof resourceVersion === 'string' && payload !== undefined
    if (isRecord) this.#versions.set(id, resourceVersion)
    for (const inner of Object.values(value)) this.#learnVersions(inner)
  }
}

/** Ids that a text holds; one of a single digit stands for an id in an example. */
export const idsIn = (text: string): readonly string[] =>
  (text.match(idForm) ?? []).filter((id) => !/_(.)\1{31}$/.test(id))
