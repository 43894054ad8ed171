import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Hex } from 'viem'
import type { Localchain } from './localchain.ts'

/** A mined block. Executed again at the same height, it has the same hash. */
type StoredBlock = {
  readonly number: number
  readonly hash: Hex
  readonly timestamp: number
  /** Wei, as text. Stored because after a rollback it does not follow from the previous block. */
  readonly baseFeePerGas: string
  /** Signed transactions in their order. */
  readonly transactions: readonly Hex[]
}

/** Number of re-executed blocks, and number of stored blocks. */
export type Restored = { readonly performed: number; readonly blockCount: number }

/**
 * Blocks of a local chain in a file, one per line, so that a restart can continue the chain. Blocks
 * missing after a kill are absent from the next chain, like after a reorganization.
 */
export class StoredBlocks {
  readonly #chain: Localchain
  readonly #path: string
  readonly #blocks: { number: number; hash: Hex }[] = []
  readonly #after: number
  #writing: Promise<void> = Promise.resolve()

  private constructor(chain: Localchain, path: string, after: number) {
    this.#chain = chain
    this.#path = path
    this.#after = after
  }

  /**
   * Re-executes the blocks of a file, up to the first one with a different hash, and truncates the
   * file there. The chain must end where the file begins, and must not follow the clock yet.
   */
  static async restore(
    chain: Localchain,
    path: string,
  ): Promise<{ blocks: StoredBlocks; restored: Restored }> {
    const after = Number(await chain.publicClient.getBlockNumber({ cacheTime: 0 }))
    const blocks = new StoredBlocks(chain, path, after)
    const stored = readStoredBlocks(path)
    await chain.testClient.setAutomine(false)
    try {
      for (const block of stored) {
        if (!(await blocks.#perform(block))) break
        blocks.#blocks.push({ number: block.number, hash: block.hash })
      }
    } finally {
      await chain.testClient.setAutomine(true)
    }
    const performed = blocks.#blocks.length
    if (performed < stored.length) write(path, stored.slice(0, performed))
    return { blocks, restored: { performed, blockCount: stored.length } }
  }

  /** Appends newly mined blocks to the file and removes blocks that left the chain. */
  keep(): Promise<void> {
    const next = this.#writing.then(() => this.#keep())
    // A failure is reported to its caller only; the next call starts again.
    this.#writing = next.catch(() => {})
    return next
  }

  async #keep(): Promise<void> {
    const client = this.#chain.publicClient
    const latest = Number(await client.getBlockNumber({ cacheTime: 0 }))
    const before = this.#blocks.length
    for (let last = this.#blocks.at(-1); last; last = this.#blocks.at(-1)) {
      const isThere =
        last.number <= latest &&
        (await client.getBlock({ blockNumber: BigInt(last.number) })).hash === last.hash
      if (isThere) break
      this.#blocks.pop()
    }
    if (this.#blocks.length < before)
      write(this.#path, readStoredBlocks(this.#path).slice(0, this.#blocks.length))
    for (
      let number = (this.#blocks.at(-1)?.number ?? this.#after) + 1;
      number <= latest;
      number++
    ) {
      const block = await this.#read(number)
      appendFileSync(this.#path, lineOf(block))
      this.#blocks.push({ number, hash: block.hash })
    }
  }

  async #read(number: number): Promise<StoredBlock> {
    const client = this.#chain.publicClient
    const { hash, timestamp, baseFeePerGas, transactions } = await client.getBlock({
      blockNumber: BigInt(number),
    })
    const raw = await Promise.all(
      transactions.map((transaction) => this.#ask('eth_getRawTransactionByHash', transaction)),
    )
    return {
      number,
      hash,
      timestamp: Number(timestamp),
      baseFeePerGas: String(baseFeePerGas ?? 0),
      transactions: raw as Hex[],
    }
  }

  async #perform({ hash, timestamp, baseFeePerGas, transactions }: StoredBlock): Promise<boolean> {
    try {
      for (const transaction of transactions) await this.#ask('eth_sendRawTransaction', transaction)
      const fee = { baseFeePerGas: BigInt(baseFeePerGas) }
      await this.#chain.testClient.setNextBlockBaseFeePerGas(fee)
      await this.#chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
      await this.#chain.testClient.mine({ blocks: 1 })
    } catch {
      return false
    }
    const mined = await this.#chain.publicClient.getBlock()
    return mined.hash === hash
  }

  #ask(method: string, parameter: Hex): Promise<unknown> {
    // viem types neither method by name with what anvil answers; both are JSON-RPC.
    const request = this.#chain.publicClient.request as (call: object) => Promise<unknown>
    return request({ method, params: [parameter] })
  }
}

const lineOf = (block: StoredBlock) => `${JSON.stringify(block)}\n`

/** Whole lines of the file; the last may have been cut off by a kill. */
function readStoredBlocks(path: string): StoredBlock[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as StoredBlock)
}

function write(path: string, blocks: readonly StoredBlock[]): void {
  writeFileSync(`${path}.new`, blocks.map(lineOf).join(''))
  renameSync(`${path}.new`, path)
}
