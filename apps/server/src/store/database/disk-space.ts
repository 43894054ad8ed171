import { statfs } from 'node:fs/promises'

/** Period for which a disk check is reused. */
const believedMilliseconds = 500

/**
 * Checks the free disk space of a directory. PostgreSQL stops permanently if its log runs out of
 * space, so changes are rejected earlier. With a reserve, reads continue, and changes resume once
 * space is free.
 */
export class DiskSpace {
  readonly #directory: string
  /** Bytes that must stay free. */
  reserveBytes: number
  #lookedAt = Number.NEGATIVE_INFINITY
  #isShort = false

  constructor(directory: string, reserveBytes: number) {
    this.#directory = directory
    this.reserveBytes = reserveBytes
  }

  async isShort(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#lookedAt < believedMilliseconds) return this.#isShort
    const { bavail, bsize } = await statfs(this.#directory)
    this.#lookedAt = now
    this.#isShort = bavail * bsize < this.reserveBytes
    return this.#isShort
  }

  /** Makes the next check read the disk. */
  forget(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }
}
