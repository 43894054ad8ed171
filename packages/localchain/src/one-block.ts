import { type Hex, numberToHex } from 'viem'
import type { Localchain } from './localchain.ts'
import type { TransactionRequest } from './transactions.ts'

/**
 * Mines transactions of unlocked accounts as one block, in the given order. Reverted ones are mined
 * too.
 *
 * @returns their hashes
 */
export async function inOneBlock(
  { publicClient, testClient }: Pick<Localchain, 'publicClient' | 'testClient'>,
  transactions: readonly TransactionRequest[],
): Promise<Hex[]> {
  // The chain's accounts are unlocked, which viem's types do not support.
  const request = publicClient.request as (call: object) => Promise<unknown>
  const hashes: Hex[] = []
  await testClient.setAutomine(false)
  try {
    for (const { value = 0n, gas = 2_000_000n, ...rest } of transactions) {
      const call = { ...rest, value: numberToHex(value), gas: numberToHex(gas) }
      hashes.push((await request({ method: 'eth_sendTransaction', params: [call] })) as Hex)
    }
    // A block takes what waits when it is made, so all must wait by then.
    for (;;) {
      const { pending, queued } = await testClient.getTxpoolStatus()
      if (pending >= transactions.length) break
      if (pending + queued >= transactions.length) {
        throw new Error(`${queued} transactions wait for others that were not sent.`)
      }
    }
    await testClient.mine({ blocks: 1 })
  } finally {
    await testClient.setAutomine(true)
  }
  return hashes
}
