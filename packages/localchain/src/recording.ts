import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from 'viem'

/** A pool's first events, recorded on mainnet. */
export type Recording = {
  readonly pool: RecordedPool
  readonly events: readonly RecordedEvent[]
}

export type RecordedToken = {
  readonly address: Address
  readonly symbol: string
  readonly decimals: number
}

export type RecordedPool = {
  readonly token0: RecordedToken
  readonly token1: RecordedToken
  readonly fee: number
  readonly initialSqrtPriceX96: bigint
  readonly initializationBlock: number
}

/** Where and when a recorded event happened. */
type Place = {
  readonly blockNumber: number
  /** Block time, seconds since 1970. */
  readonly timestamp: number
  /** Who called the pool; the owner of a position that is burned. */
  readonly sender: Address
}

export type RecordedEvent = Place &
  (
    | {
        readonly kind: 'MINT' | 'BURN'
        /** Owner of a minted position; the sender's own for a burn. */
        readonly owner: Address
        readonly tickLower: number
        readonly tickUpper: number
        readonly liquidity: bigint
        readonly amount0: bigint
        readonly amount1: bigint
      }
    | RecordedSwap
  )

/** Amounts are signed as in the event: positive was paid to the pool. */
export type RecordedSwap = Place & {
  readonly kind: 'SWAP'
  readonly recipient: Address
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
  /** Amount that the caller specified, resolved by the collector: negative is an exact output. */
  readonly amountSpecified: bigint
}

/**
 * Reads a recording from a folder that holds `pool.json` and `events.csv`, the layout of
 * `datasets/v3-ens-weth-from-init`. A time without a zone is read as UTC.
 *
 * @throws Error when a column is missing or a row has an unknown type
 */
export function readRecording(folder: string): Recording {
  return parseRecording(
    readFileSync(join(folder, 'pool.json'), 'utf8'),
    readFileSync(join(folder, 'events.csv'), 'utf8'),
  )
}

/** Parses the two files of a recording. */
export function parseRecording(poolJson: string, eventsCsv: string): Recording {
  const pool = JSON.parse(poolJson) as Omit<RecordedPool, 'initialSqrtPriceX96'> & {
    readonly initialSqrtPriceX96: string
  }
  const [header = '', ...lines] = eventsCsv.trimEnd().split(/\r?\n/)
  const columns = header.split(',')
  const events = lines.map((line) => {
    const cells = line.split(',')
    return parseEvent((column) => {
      const cell = cells[columns.indexOf(column)]
      if (cell === undefined) throw new Error(`the recording has no column ${column}`)
      return cell
    })
  })
  return { pool: { ...pool, initialSqrtPriceX96: BigInt(pool.initialSqrtPriceX96) }, events }
}

function parseEvent(cell: (column: string) => string): RecordedEvent {
  const sender = cell('sender') as Address
  const place = {
    blockNumber: Number(cell('blockNumber')),
    timestamp: Date.parse(`${cell('date').replace(' ', 'T')}Z`) / 1000,
    sender,
  }
  const amounts = { amount0: BigInt(cell('amount0')), amount1: BigInt(cell('amount1')) }
  const kind = cell('type')
  if (kind === 'MINT' || kind === 'BURN') {
    return {
      ...place,
      kind,
      ...amounts,
      owner: (cell('recipientOrOwner') || sender) as Address,
      tickLower: Number(cell('tickLower')),
      tickUpper: Number(cell('tickUpper')),
      liquidity: BigInt(cell('positionLiquidity')),
    }
  }
  if (kind !== 'SWAP') throw new Error(`the recording has an event of unknown type ${kind}`)
  return {
    ...place,
    kind,
    ...amounts,
    recipient: cell('recipientOrOwner') as Address,
    sqrtPriceX96: BigInt(cell('sqrtPriceX96')),
    liquidity: BigInt(cell('liquidity')),
    tick: Number(cell('tick')),
    amountSpecified: BigInt(cell('amountSpecified')),
  }
}
