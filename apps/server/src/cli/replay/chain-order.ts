import { type PoolEvent, ReplayInputError } from '@liquidity-os/engine/replay'

/** Rejects a recording that is out of chain order, because its replay would prove no exactness. */
export class ChainOrder {
  #block = -1
  #logIndex = -1
  #timestamp = -1
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /**
   * @throws ReplayInputError if the event does not follow the previous one in block, log index and
   * time
   */
  check(event: PoolEvent): void {
    const { block, logIndex, line } = event
    const behind =
      block < this.#block ||
      (block === this.#block && logIndex !== null && logIndex <= this.#logIndex)
    if (behind) {
      throw new ReplayInputError({
        file: this.#file,
        ...(line === null ? {} : { line }),
        column: block < this.#block ? 'block' : 'logIndex',
        expected: `events in chain order, after block ${this.#block}, log ${this.#logIndex}`,
        found: `block ${block}, log ${logIndex}`,
      })
    }
    if (event.timestamp !== null && event.timestamp < this.#timestamp) {
      throw new ReplayInputError({
        file: this.#file,
        ...(line === null ? {} : { line }),
        column: 'timestamp',
        expected: `a time of at least ${this.#timestamp}`,
        found: `${event.timestamp}`,
      })
    }
    this.#timestamp = event.timestamp ?? this.#timestamp
    if (block > this.#block) this.#logIndex = -1
    this.#block = block
    this.#logIndex = logIndex ?? this.#logIndex
  }
}
