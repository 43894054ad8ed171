import {
  type Address,
  createTestClient,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  publicActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/**
 * On the demo's chain: a trader buys the token with ether on Uniswap's router, and somebody sandwiches the
 * purchase. Prints the trader and the hash of the purchase.
 *
 *     node docs/examples/sandwiched-order.ts <rpcUrl> <base> <wrapped ether>
 */
const [rpcUrl = '', base, quote] = process.argv.slice(2) as [string, Address, Address]
const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
const accountOf = (addressIndex: number) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex })
    .address
const [deployer, trader, attacker] = [0, 3, 4].map(accountOf) as [Address, Address, Address]
// The fifth contract that the demo deploys.
const router = getContractAddress({ from: deployer, nonce: 4n })
const abi = parseAbi([
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap params) payable returns (uint256 amountOut)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address holder) view returns (uint256)',
])
const ether = 10n ** 18n

function swap(tokenIn: Address, tokenOut: Address, recipient: Address, amountIn: bigint): Hex {
  const common = { fee: 3000, deadline: ether, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
  const params = { tokenIn, tokenOut, recipient, amountIn, ...common }
  return encodeFunctionData({ abi, functionName: 'exactInputSingle', args: [params] })
}

/** @param tip a block takes the dearest first, so the tip says who comes when */
async function send(from: Address, to: Address, data: Hex, { value = 0n, tip = 1n } = {}) {
  const fees = { maxFeePerGas: numberToHex(10n ** 10n), maxPriorityFeePerGas: numberToHex(tip) }
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(2_000_000), ...fees }
  // Accounts of this chain are unlocked, which viem's types do not know.
  const request = client.request as (call: object) => Promise<unknown>
  return (await request({ method: 'eth_sendTransaction', params: [call] })) as Hex
}

/** A hash is there before its block is. */
async function mined(hash: Hex): Promise<void> {
  const { status } = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  if (status !== 'success') throw new Error(`${hash} has reverted.`)
}

const front = () =>
  send(attacker, router, swap(quote, base, attacker, ether / 5n), { value: ether / 5n, tip: 3n })
const held = () =>
  client.readContract({ address: base, abi, functionName: 'balanceOf', args: [attacker] })

const approval = { abi, functionName: 'approve', args: [router, ether ** 4n] } as const
await mined(await send(attacker, base, encodeFunctionData(approval)))
// What the attacker will have to sell again is seen in a block that is taken back.
const before = await client.snapshot()
await mined(await front())
const bought = await held()
await client.revert({ id: before })
await client.setAutomine(false)
await front()
const purchase = swap(quote, base, trader, ether / 10n)
const hash = await send(trader, router, purchase, { value: ether / 10n, tip: 2n })
const back = await send(attacker, router, swap(base, quote, attacker, bought))
// A block takes what waits when it is made, so all three must wait by then.
while ((await client.getTxpoolStatus()).pending < 3) await client.getBlockNumber()
await client.mine({ blocks: 1 })
await client.setAutomine(true)
const { transactions } = await client.getBlock()
if (transactions[1] !== hash || transactions.length !== 3) throw new Error('It is no sandwich.')
await mined(back)
// Past the horizon, and final.
await client.mine({ blocks: 180, interval: 12 })
console.log(JSON.stringify({ trader, hash }))
