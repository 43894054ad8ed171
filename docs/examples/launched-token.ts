import { readFileSync } from 'node:fs'
import { deployRoleToken } from '@liquidity-os/localchain'
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  publicActions,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/**
 * On the demo's chain: a token before its launch, and the pool that a study of capital asks for, on Uniswap's own contracts.
 *
 *     node docs/examples/launched-token.ts <rpcUrl> issue <safe>      prints token and dollar, of which the Safe holds some
 *     node docs/examples/launched-token.ts <rpcUrl> mint <study>      mints the positions of a study; prints pool, block and what they took
 *     node docs/examples/launched-token.ts <rpcUrl> buy <pool> <token> <quote>  pays so much quote net of the fee, prints the move of the price in pips, and takes it back
 */
const [rpcUrl = '', command = '', ...terms] = process.argv.slice(2)
const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
const deployer = mnemonicToAccount('test test test test test test test test test test test junk')
const deployed = (nonce: bigint) => getContractAddress({ from: deployer.address, nonce })
const [router, manager] = [deployed(4n), deployed(5n)]
const one = 10n ** 18n
const feePips = 3_000n
const abi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address holder) view returns (uint256)',
  'function factory() view returns (address)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address pool)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 index, uint16 cardinality, uint16 cardinalityNext, uint8 feeProtocol, bool unlocked)',
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap params) payable returns (uint256 amountOut)',
])
const positionAbi = parseAbi([
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
])

async function send(call: { to?: Address; data: Hex }) {
  const from = { from: deployer.address, gas: numberToHex(8_000_000) }
  // Accounts of this chain are unlocked, which viem's types do not know.
  const request = client.request as (requested: object) => Promise<unknown>
  const params = [{ ...from, ...call }]
  const hash = (await request({ method: 'eth_sendTransaction', params })) as Hex
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  if (receipt.status !== 'success') throw new Error(`${hash} has reverted.`)
  return receipt
}

const read = (address: Address, functionName: 'token0' | 'token1') =>
  client.readContract({ address, abi, functionName })

/** Names of the two tokens, and what the Safe and whoever seeds the pool hold of them. */
async function issue([safe]: string[]): Promise<void> {
  const chain = {
    deploy: async (data: Hex) => getAddress((await send({ data })).contractAddress ?? ''),
  }
  const tokens = [await deployRoleToken(chain, 'NEW'), await deployRoleToken(chain, 'USDN')]
  for (const token of tokens) {
    for (const [holder, units] of [
      [safe as Address, 5_000_000n],
      [deployer.address, 5_000_000n],
    ] as const) {
      const mint = { abi, functionName: 'mint', args: [holder, units * one] } as const
      await send({ to: token, data: encodeFunctionData(mint) })
    }
    for (const spender of [router, manager]) {
      const allow = { abi, functionName: 'approve', args: [spender, 2n ** 255n] } as const
      await send({ to: token, data: encodeFunctionData(allow) })
    }
  }
  // What was read is final two blocks later on this chain.
  await client.mine({ blocks: 3 })
  process.stdout.write(`${tokens.join(' ')}\n`)
}

async function poolOf(token0: Address, token1: Address): Promise<Address> {
  const factory = await client.readContract({ address: manager, abi, functionName: 'factory' })
  const args = [token0, token1, Number(feePips)] as const
  return client.readContract({ address: factory, abi, functionName: 'getPool', args })
}

const heldBy = (holder: Address, tokens: readonly Address[]) =>
  Promise.all(
    tokens.map((address) =>
      client.readContract({ address, abi, functionName: 'balanceOf', args: [holder] }),
    ),
  )

/** The one position of a study, with exactly its amounts. */
async function mint([file = '']: string[]): Promise<void> {
  const { request, perShape } = JSON.parse(readFileSync(file, 'utf8')).data.payload
  const [shape] = perShape
  const [band] = shape.bands
  const addressOf = (key: string) => getAddress(key.slice(key.lastIndexOf(':') + 1))
  const [token, quote] = [addressOf(request.token), addressOf(request.quote)]
  const isFirst = BigInt(token) < BigInt(quote)
  const [token0, token1] = isFirst ? [token, quote] : [quote, token]
  const price = BigInt(shape.sqrtPriceX96)
  const create = {
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, Number(feePips), price],
  } as const
  const { blockNumber } = await send({ to: manager, data: encodeFunctionData(create) })
  const pool = await poolOf(token0, token1)
  const [amount0, amount1] = [shape.token, shape.quote].map(BigInt) as [bigint, bigint]
  const before = await heldBy(pool, [token, quote])
  const position = {
    token0,
    token1,
    fee: Number(feePips),
    tickLower: band.tickLower,
    tickUpper: band.tickUpper,
    amount0Desired: isFirst ? amount0 : amount1,
    amount1Desired: isFirst ? amount1 : amount0,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: deployer.address,
    deadline: 4_102_444_800n,
  }
  const data = encodeFunctionData({ abi: positionAbi, functionName: 'mint', args: [position] })
  await send({ to: manager, data })
  const after = await heldBy(pool, [token, quote])
  await client.mine({ blocks: 3 })
  const taken = after.map((amount, place) => `${amount - before[place]!}`)
  process.stdout.write(`${pool} ${blockNumber} ${taken.join(' ')}\n`)
}

/** Price of the token in quote, from a root as the pool keeps it. */
function priceOf(sqrtPriceX96: bigint, isFirst: boolean): number {
  const ratio = Number(sqrtPriceX96) / 2 ** 96
  return isFirst ? ratio * ratio : 1 / (ratio * ratio)
}

/** Buys and looks; then the chain is as before. */
async function buy([pool = '', token = '', net = '0']: string[]): Promise<void> {
  const market = pool as Address
  const [token0, token1] = await Promise.all([read(market, 'token0'), read(market, 'token1')])
  const isFirst = BigInt(token0) === BigInt(token)
  const quote = isFirst ? token1 : token0
  const price = async () => {
    const [root] = await client.readContract({ address: market, abi, functionName: 'slot0' })
    return priceOf(root, isFirst)
  }
  // The fee comes on top of what moves the price.
  const gross = (BigInt(net) * 1_000_000n) / (1_000_000n - feePips)
  const swap = {
    tokenIn: quote,
    tokenOut: token as Address,
    fee: Number(feePips),
    recipient: deployer.address,
    deadline: 4_102_444_800n,
    amountIn: gross,
    amountOutMinimum: 0n,
    sqrtPriceLimitX96: 0n,
  }
  const snapshot = await client.snapshot()
  const before = await price()
  const data = encodeFunctionData({ abi, functionName: 'exactInputSingle', args: [swap] })
  await send({ to: router, data })
  const moved = (await price()) / before - 1
  await client.revert({ id: snapshot })
  process.stdout.write(`${Math.round(moved * 1e6)}\n`)
}

if (command === 'issue') await issue(terms)
else if (command === 'mint') await mint(terms)
else if (command === 'buy') await buy(terms)
else throw new Error('Say issue, mint or buy.')
