/** What one takes beside its bytes; most observations are of a few events. */
const entryBytes = 1024

/** Bytes in memory that threads share: given to one of them, they are not copied. */
export type SharedBytes = Uint8Array<SharedArrayBuffer>

interface Kept {
  readonly bytes: Promise<SharedBytes | null>
  /** What it takes; null while the bytes are on their way. */
  size: number | null
}

/**
 * Artifacts that were read and checked, for whoever reads them next: content under a hash never changes. No more of them than
 * fit are kept; those that were read longest ago go first.
 */
export class KeptArtifacts {
  readonly #maxBytes: number
  /** In the order in which they were last read. */
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * The bytes under a name. Those who ask at the same time wait for one reading.
   *
   * @param read what reads and checks them; null, or an error of it, is not kept
   */
  find(name: string, read: () => Promise<Uint8Array | null>): Promise<SharedBytes | null> {
    const known = this.#kept.get(name)
    if (known !== undefined) {
      this.#kept.delete(name)
      this.#kept.set(name, known)
      return known.bytes
    }
    const kept: Kept = { bytes: this.#read(name, read), size: null }
    this.#kept.set(name, kept)
    return kept.bytes
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

  /** Counts what has come, and makes room. */
  #settle(name: string, bytes: SharedBytes | null): void {
    const kept = this.#kept.get(name)
    if (kept === undefined) throw new Error(`${name} was given up while it was read.`)
    const size = (bytes?.length ?? 0) + entryBytes
    if (bytes === null || size > this.#maxBytes) {
      this.#kept.delete(name)
      return
    }
    kept.size = size
    this.#bytes += size
    for (const [oldest, { size: freed }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return
      if (freed === null || oldest === name) continue
      this.#kept.delete(oldest)
      this.#bytes -= freed
    }
  }
}

function shared(bytes: Uint8Array): SharedBytes {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}
