import { statfs } from 'node:fs/promises'

/** How long a look at the disk is believed. */
const believedMilliseconds = 500

/**
 * Whether the disk of a directory has room for changes. PostgreSQL stops for good where its log finds no room, so
 * changes end before that: with a reserve left, reads go on and so does the database once there is room again.
 */
export class DiskRoom {
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

  /** Makes the next question look at the disk. */
  forget(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }
}
