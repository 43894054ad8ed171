import { readFileSync } from 'node:fs'
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  publicActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/**
 * On the demo's chain: a maker answers a request for quotes with what the request itself gives to sign.
 *
 *     node docs/examples/sign-quote.ts <rpcUrl> <request.json> <sellAmount> <buyAmount>     prints the signed quote
 */
const [rpcUrl = '', file = '', sellAmount = '0', buyAmount = '0'] = process.argv.slice(2)
const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
const maker = mnemonicToAccount('test test test test test test test test test test test junk', {
  addressIndex: 6,
})
const abi = parseAbi([
  'function deposit() payable',
  'function approve(address spender, uint256 amount) returns (bool)',
])
const { requestHash, typedData, taker, sellToken, buyToken, settlementContract } = JSON.parse(
  readFileSync(file, 'utf8'),
).data.payload

async function send(to: Address, data: Hex, value = 0n) {
  const call = {
    from: maker.address,
    to,
    data,
    value: numberToHex(value),
    gas: numberToHex(200_000),
  }
  // Accounts of this chain are unlocked, which viem's types do not know.
  const request = client.request as (call: object) => Promise<unknown>
  const hash = (await request({ method: 'eth_sendTransaction', params: [call] })) as Hex
  return client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
}

// What the maker will deliver, and leave to move.
await send(buyToken, encodeFunctionData({ abi, functionName: 'deposit' }), BigInt(buyAmount))
const args = [settlementContract, BigInt(buyAmount)] as const
await send(buyToken, encodeFunctionData({ abi, functionName: 'approve', args }))
await client.mine({ blocks: 3 })

const now = Math.floor(Date.now() / 1000)
const message = {
  requestHash,
  maker: maker.address,
  taker,
  sellToken,
  buyToken,
  sellAmount,
  buyAmount,
  minimumFillSellAmount: '1',
  validFrom: now - 60,
  validUntil: now + 3_000,
  nonce: `${Date.now()}`,
  firm: true,
}
const { domain, types, primaryType } = typedData
const signature = await maker.signTypedData({ domain, types, primaryType, message })
process.stdout.write(
  `${JSON.stringify({ kind: 'LIQUIDITY_RFQ', makerKind: 'EOA', message, signature })}\n`,
)
