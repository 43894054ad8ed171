import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  AnvilStartError,
  type LoadedRecording,
  type Localchain,
  loadRecording,
  type Recording,
  type Restored,
  readRecording,
  StoredBlocks,
  startLocalchain,
} from '@liquidity-os/localchain'
import type { Address } from 'viem'
import { performTokenDay } from './issuer/token-day.ts'
import { openRecordedMarket } from './recorded-market.ts'

/** The chain of the demo: a real launch performed again on genuine bytecode. */
export interface LaunchChain {
  chain: Localchain
  /** The recorded mainnet launch and its replay on the local chain. */
  recorded: Recording
  recording: LoadedRecording
  /** Hash of the last recorded block on this chain. */
  lastHash: string
  /** File of the blocks after the launch, and the part that an earlier start left. */
  blocks: StoredBlocks
  restored: Restored
  /** File that exists while the first start trades and saves its blocks. */
  unfinished: string
  /** The launched token and the asset it trades against. */
  base: Address
  quote: Address
}

const dataset = fileURLToPath(new URL('../../../datasets/v3-ens-weth-from-init', import.meta.url))
/** A day before the recording begins. */
const timestamp = Date.parse('2021-11-08T00:00:00Z') / 1000

/**
 * Starts the chain and replays the launch of the ENS token at the recorded times. Then restores the
 * later blocks of an earlier start. Block hashes are identical, so records of an earlier start stay
 * valid. Blocks of an interrupted first start are incomplete, so they are deleted.
 *
 * @param blocksPath file of the blocks after the launch
 * @param port RPC port of the earlier start; another one is used if it is taken
 */
export async function launchChain(
  blocksPath: string,
  port: number,
  onProgress: (done: number, total: number) => void,
): Promise<LaunchChain> {
  const unfinished = `${blocksPath}.unfinished`
  if (existsSync(unfinished)) rmSync(blocksPath, { force: true })
  const chain = await startLocalchain({ timestamp, port }).catch((error: unknown) => {
    if (port === 0 || !(error instanceof AnvilStartError)) throw error
    return startLocalchain({ timestamp })
  })
  const recorded = readRecording(dataset)
  const recording = await loadRecording(chain, recorded, ({ eventsDone, eventsTotal }) =>
    onProgress(eventsDone, eventsTotal),
  )
  const { hash: lastHash } = await chain.publicClient.getBlock({ blockNumber: recording.toBlock })
  const { blocks, restored } = await StoredBlocks.restore(chain, blocksPath)
  const quote = chain.contracts.weth9
  const base = recording.token0 === quote ? recording.token1 : recording.token0
  return { chain, recorded, recording, lastHash, blocks, restored, unfinished, base, quote }
}

/** True if no trade followed the launch yet. */
export const isFirstStart = ({ restored }: LaunchChain): boolean => restored.performed === 0

/**
 * Performs the markets after the launch, at the first start: a month at recorded prices until now,
 * and a day of swaps in the demo token until 15 minutes ago.
 */
export async function tradeMonth(
  { chain, blocks, unfinished }: LaunchChain,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  writeFileSync(unfinished, '')
  const now = Math.floor(Date.now() / 1000)
  const trading = await openRecordedMarket(chain, now, onProgress)
  await performTokenDay(chain, now, trading)
  await trading.tradeUntil(now)
  await chain.followClock()
  // A block is finalized two blocks later, so the first of these is the end of the observed time.
  await chain.mine(3)
  await blocks.keep()
  // No record exists before this, so an interrupted first start can begin again.
  rmSync(unfinished)
}
