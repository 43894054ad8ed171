import type { PoolEvent, RawLog } from '@liquidity-os/engine/replay'

/** Transfer(address indexed,address indexed,uint256) */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const NOBODY = /^0x0{64}$/

/**
 * Reads the liquidity that a v2 pair minted or burned from the Transfer logs of the pair token.
 * They precede the Mint or Burn of the same call: the last one from, or to, the zero address.
 */
export class LiquidityTransfers {
  #minted: Transfer | null = null
  #burned: Transfer | null = null

  /** Records a mint or burn transfer; ignores other logs. */
  note({ topics, data }: RawLog, address: string | null): void {
    const [name, from, to] = topics
    if (name?.toLowerCase() !== TRANSFER || topics.length !== 3 || data.length !== 66) return
    if (from === undefined || to === undefined) return
    const transfer = { amount: BigInt(data.toLowerCase()), address }
    if (NOBODY.test(from)) this.#minted = transfer
    else if (NOBODY.test(to)) this.#burned = transfer
  }

  /** Adds the liquidity to a Mint or Burn of a pair, if a transfer states it. */
  complete(event: PoolEvent, address: string | null): PoolEvent {
    const isPairs = (event.type === 'Mint' || event.type === 'Burn') && !('tickLower' in event)
    if (!isPairs) return event
    const transfer = event.type === 'Mint' ? this.#minted : this.#burned
    this.#minted = null
    this.#burned = null
    // A mint of another token in between does not count.
    const isOwn = transfer !== null && transfer.address === address
    return isOwn ? { ...event, liquidity: transfer.amount } : event
  }
}

interface Transfer {
  readonly amount: bigint
  readonly address: string | null
}
