import { expect, test } from 'vitest'
import { readDatasetRows } from '../../test/datasets.ts'
import { decodeLog } from '../replay/decode-log.ts'
import { type BlockSwap, findSandwiches } from './sandwich.ts'

/** The swaps of a day of the main network's busiest pool, by block; callers are all that a log names. */
function recordedBlocks(): BlockSwap[][] {
  const blocks = new Map<string, BlockSwap[]>()
  for (const row of readDatasetRows('v3-usdc-weth-2024-01-05/raw_logs.csv.gz')) {
    const topics = [...row.topics!.matchAll(/0x[0-9a-f]+/g)].map(([word]) => word)
    const place = {
      block: Number(row.block_number),
      timestamp: null,
      line: null,
      logIndex: Number(row.log_index),
    }
    const event = decodeLog({ topics, data: row.data! }, place)
    if (event?.type !== 'Swap' || !('sqrtPriceX96' in event)) continue
    const zeroForOne = event.amount0 > 0n
    const swaps = blocks.get(row.block_number!) ?? []
    swaps.push({
      position: place.logIndex,
      pool: '',
      zeroForOne,
      amountIn: zeroForOne ? event.amount0 : event.amount1,
      amountOut: zeroForOne ? -event.amount1 : -event.amount0,
      sender: `0x${topics[1]!.slice(-40)}`,
      to: '',
      recipient: '',
    })
    blocks.set(row.block_number!, swaps)
  }
  return [...blocks.values()].map((swaps) => swaps.sort((a, b) => a.position - b.position))
}

test('a recorded day of a busy pool holds the sandwiches that the methodology counts', () => {
  const found = recordedBlocks().flatMap(findSandwiches)
  const of = (confidence: string) => found.filter((one) => one.confidence === confidence).length
  expect([recordedBlocks().length, recordedBlocks().flat().length]).toEqual([3961, 6046])
  expect([found.length, of('HIGH'), of('MEDIUM')]).toEqual([14, 13, 1])
  expect(found.flatMap(({ victims }) => victims)).toHaveLength(15)
  const stays = found.map(({ front, profit, kept }) => {
    // What stays of the token in between, at the price at which it was bought.
    const worth = (kept * front.amountIn) / front.amountOut
    return [profit > 0n, profit + worth > 0n]
  })
  expect(stays.filter(([alone]) => alone)).toHaveLength(13)
  expect(stays.filter(([, both]) => both)).toHaveLength(13)
})

test('seventeen recorded blocks of v2 hold the sandwiches that the methodology counts', () => {
  const blocks = new Map<string, BlockSwap[]>()
  for (const row of readDatasetRows('v2-mainnet-swaps/swaps.csv')) {
    const swaps = blocks.get(row.blockNumber!) ?? []
    blocks.set(row.blockNumber!, swaps)
    const [in0, in1] = [BigInt(row.amount0In!), BigInt(row.amount1In!)]
    // Both tokens in, or the same one out: no direction, so no part of a sandwich.
    if (in0 > 0n === in1 > 0n) continue
    const zeroForOne = in0 > 0n
    swaps.push({
      position: swaps.length,
      pool: row.pair!,
      zeroForOne,
      amountIn: zeroForOne ? in0 : in1,
      amountOut: BigInt((zeroForOne ? row.amount1Out : row.amount0Out)!),
      sender: row.txFrom!,
      to: row.txTo!,
      recipient: '',
    })
  }
  const found = [...blocks].flatMap(([block, swaps]) =>
    findSandwiches(swaps).map(({ victims, confidence }) => [block, victims.length, confidence]),
  )
  expect(blocks.size).toBe(17)
  expect(found).toEqual([
    ['12412732', 1, 'HIGH'],
    // The one that the source labels.
    ['12775690', 4, 'HIGH'],
    ['12914944', 1, 'HIGH'],
    ['13666363', 1, 'HIGH'],
  ])
})
