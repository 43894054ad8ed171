/** Overhead per entry; most observations contain few events. */
const entryBytes = 1024

/** Bytes in shared memory, passed to threads without copying. */
export type SharedBytes = Uint8Array<SharedArrayBuffer>

interface CacheEntry {
  readonly bytes: Promise<SharedBytes | null>
  /** Size in bytes; null while loading. */
  size: number | null
}

/** LRU cache of verified artifacts; content under a hash never changes. Bounded by total size. */
export class ArtifactCache {
  readonly #maxBytes: number
  /** Ordered by last read. */
  readonly #entries = new Map<string, CacheEntry>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * Bytes under a name. Concurrent callers share one read.
   *
   * @param read reads and verifies them; null or an error is not cached
   */
  find(name: string, read: () => Promise<Uint8Array | null>): Promise<SharedBytes | null> {
    const known = this.#entries.get(name)
    if (known !== undefined) {
      this.#entries.delete(name)
      this.#entries.set(name, known)
      return known.bytes
    }
    const entry: CacheEntry = { bytes: this.#read(name, read), size: null }
    this.#entries.set(name, entry)
    return entry.bytes
  }

  async #read(name: string, read: () => Promise<Uint8Array | null>): Promise<SharedBytes | null> {
    let bytes: SharedBytes | null = null
    try {
      const found = await read()
      bytes = found && shared(found)
      return bytes
    } finally {
      this.#settle(name, bytes)
    }
  }

  /** Counts a loaded entry and evicts old ones. */
  #settle(name: string, bytes: SharedBytes | null): void {
    const entry = this.#entries.get(name)
    if (entry === undefined) throw new Error(`${name} was released during a read.`)
    const size = (bytes?.length ?? 0) + entryBytes
    if (bytes === null || size > this.#maxBytes) {
      this.#entries.delete(name)
      return
    }
    entry.size = size
    this.#bytes += size
    for (const [oldest, { size: freed }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return
      if (freed === null || oldest === name) continue
      this.#entries.delete(oldest)
      this.#bytes -= freed
    }
  }
}

function shared(bytes: Uint8Array): SharedBytes {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
