import {
  controlAbi,
  createSafe,
  deployRoleToken,
  erc20Abi,
  forwardData,
  type Localchain,
  type Market,
  paymentData,
  v3FactoryAbi,
  v3PoolAbi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { drawOf } from '../drawn.ts'
import type { Trading } from '../recorded-market.ts'

/**
 * The token that the demo organization issued itself. Its market is synthetic, and all its parts
 * are named as the demo's own.
 */
export interface TokenDay {
  readonly token: Address
  /** A separate demo dollar, so that no other demo market trades it. */
  readonly quote: Address
  readonly pool: Address
  /** Block of the pool's first price. */
  readonly startBlock: number
  /** A Safe of two out of three that has every role of the token, and some of both. */
  readonly safe: Address
}

export const symbol = 'DEMO'
export const quoteSymbol = 'DUSD'
export const ether = 10n ** 18n
/** DEMO for a dollar at first: a price whose root is exact. */
export const tokensOfDollar = 4n
const root = 2n
/** Steps of 1.0001 from a price of one to the first, on the grid of the pool. */
const middle = 13_860
const swaps = 288
const swapSeconds = 300
const hourSeconds = 3600
/** The first half buys, the other half sells. */
const traders = 6
/** Two buyers that pay from one account. */
const sharingTraders = [1, 2]
/** Dollars, and as much in the token, that each provider of the pool is given. */
const given = 1_000_000n * ether
/** Ranges around the first price in steps of 1.0001, and the liquidity in each. */
const ranges = [
  { ticks: 12_000, liquidity: 2_000_000n * ether },
  { ticks: 3_000, liquidity: 3_000_000n * ether },
  { ticks: 900, liquidity: 4_000_000n * ether },
]
const openLimits = [4295128740n, 1461446703485210103287273052203988822378723970341n] as const
const tokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function MINTER_ROLE() view returns (bytes32)',
  'function PAUSER_ROLE() view returns (bytes32)',
  'function getRoleMemberCount(bytes32 role) view returns (uint256)',
  'function getRoleMember(bytes32 role, uint256 index) view returns (address)',
])
const adminRole = `0x${'0'.repeat(64)}` as const
/** Dollars in the Safe, and as much in the token. */
const treasuryAmount = 200_000n * ether

export const ownersOf = ({ accounts }: Pick<Localchain, 'accounts'>) => accounts.slice(1, 4)

/**
 * Issues the token and runs one day of swaps in its v3 pool, one every 5 minutes until 15 minutes
 * ago. Each trader only buys or only sells, so no trade counts as wash trading. Two of six traders
 * pay from one account, so their trades count as own flow. Then hands the token to a Safe.
 *
 * @param now Unix seconds
 * @param others trades in other markets at the same times
 */
export async function performTokenDay(
  chain: Localchain,
  now: number,
  { tradeUntil }: Trading,
): Promise<void> {
  const begin = now - (swaps + 2) * swapSeconds
  await tradeUntil(begin - hourSeconds)
  await chain.testClient.setBlockTimestampInterval({ interval: 12 })
  await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(begin - hourSeconds) })
  const token = await deployRoleToken(chain, symbol)
  const quote = await deployRoleToken(chain, quoteSymbol)
  const isFirst = BigInt(token) < BigInt(quote)
  const sqrtPriceX96 = isFirst ? 2n ** 96n / root : 2n ** 96n * root
  const terms = { tokenA: token, tokenB: quote, fee: 3000, sqrtPriceX96 }
  const pool = await chain.createV3Pool(terms)
  const shared = await provide(chain, { token, quote }, pool)
  const payers = await fundTraders(chain, { token, quote }, shared)
  for (let number = 0; number < swaps; number += 1) {
    const at = begin + number * swapSeconds
    await tradeUntil(at)
    await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(at) })
    await swap(chain, { pool, isQuoteFirst: pool.token0 === quote, payers }, drawOf(BigInt(number)))
  }
  const owners = ownersOf(chain).map(({ address }) => address)
  const safe = await createSafe(chain, { owners, threshold: 2 })
  await fund(chain, { token, quote }, safe, treasuryAmount)
  await handOver(chain, token, safe)
}

/** The market of the demo day as found on chain; null if it is missing or incomplete. */
export async function findTokenDay({
  publicClient,
  contracts,
  accounts,
}: Localchain): Promise<TokenDay | null> {
  const created = await publicClient.getContractEvents({
    address: contracts.uniswapV3Factory,
    abi: v3FactoryAbi,
    eventName: 'PoolCreated',
    fromBlock: 0n,
    strict: true,
  })
  const read = { abi: erc20Abi, functionName: 'symbol' } as const
  for (const { args, blockNumber } of created) {
    const { token0, token1, pool } = args
    const symbols = await Promise.all(
      [token0, token1].map((address) => publicClient.readContract({ ...read, address })),
    )
    const itemIndex = symbols.indexOf(symbol)
    if (itemIndex < 0) continue
    const [token, quote] = itemIndex === 0 ? [token0, token1] : [token1, token0]
    const roles = { address: token, abi: tokenAbi } as const
    const [members, safe] = await Promise.all([
      publicClient.readContract({
        ...roles,
        functionName: 'getRoleMemberCount',
        args: [adminRole],
      }),
      publicClient.readContract({
        ...roles,
        functionName: 'getRoleMember',
        args: [adminRole, 0n],
      }),
    ])
    // That the issuer has given the last role away is the end of the day.
    const isWhole = members === 1n && safe !== accounts[0]?.address
    return isWhole ? { token, quote, pool, safe, startBlock: Number(blockNumber) } : null
  }
  return null
}

/** Mints dollars, and as much in the token. */
async function fund(
  { send, accounts }: Localchain,
  { token, quote }: Pick<TokenDay, 'token' | 'quote'>,
  receiver: Address,
  dollars: bigint,
): Promise<void> {
  const from = accounts[0]!.address
  for (const [to, amount] of [
    [token, dollars * tokensOfDollar],
    [quote, dollars],
  ] as const) {
    const args = [receiver, amount] as const
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args })
    await send({ from, to, data })
  }
}

/**
 * Opens the positions of three liquidity providers.
 *
 * @returns the first provider, which also pays for the trades of two traders
 */
async function provide(
  chain: Localchain,
  coins: Pick<TokenDay, 'token' | 'quote'>,
  pool: Market,
): Promise<Address> {
  const at = pool.token0 === coins.token ? -middle : middle
  for (const [index, { ticks, liquidity }] of ranges.entries()) {
    const provider = index === 0 ? chain.contracts.payer : await chain.deployPayer()
    await fund(chain, coins, provider, given)
    const args = [provider, at - ticks, at + ticks, liquidity, paymentData(pool)] as const
    const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'mint', args })
    await forward(chain, 0, provider, pool, data)
  }
  return chain.contracts.payer
}

/** Accounts that pay for the trades, by trader. */
async function fundTraders(
  chain: Localchain,
  coins: Pick<TokenDay, 'token' | 'quote'>,
  shared: Address,
): Promise<Address[]> {
  const payers: Address[] = []
  for (let trader = 0; trader < traders; trader += 1) {
    if (sharingTraders.includes(trader)) {
      payers.push(shared)
      continue
    }
    const payer = await chain.deployPayer()
    await fund(chain, coins, payer, given)
    payers.push(payer)
  }
  return payers
}

/** A swap of 100 to 2,500 dollars, or the same value in the token at the initial price. */
async function swap(
  chain: Localchain,
  {
    pool,
    isQuoteFirst,
    payers,
  }: { readonly pool: Market; readonly isQuoteFirst: boolean; readonly payers: readonly Address[] },
  draw: bigint,
): Promise<void> {
  const trader = Number(draw % BigInt(traders))
  const payer = payers[trader]!
  const isBuy = trader < traders / 2
  const dollars = (1n + ((draw >> 8n) % 25n)) * 100n * ether
  const isFirstIn = isBuy === isQuoteFirst
  const args = [
    ...([payer, isFirstIn, isBuy ? dollars : dollars * tokensOfDollar] as const),
    ...([openLimits[isFirstIn ? 0 : 1], paymentData(pool)] as const),
  ] as const
  const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'swap', args })
  await forward(chain, trader + 1, payer, pool, data)
}

/** Lets an account have a call made to the pool by what pays for it. */
async function forward(
  { send, accounts }: Localchain,
  account: number,
  to: Address,
  pool: Market,
  data: Hex,
): Promise<void> {
  await send({ from: accounts[account]!.address, to, data: forwardData(pool.address, data) })
}

/** Grants every token role to the new holder and revokes them from the issuer. */
async function handOver(chain: Localchain, token: Address, holder: Address): Promise<void> {
  const issuer = chain.accounts[0]!.address
  const read = (functionName: 'MINTER_ROLE' | 'PAUSER_ROLE') =>
    chain.publicClient.readContract({ address: token, abi: tokenAbi, functionName })
  const roles = [await read('MINTER_ROLE'), await read('PAUSER_ROLE'), adminRole]
  for (const functionName of ['grantRole', 'revokeRole'] as const) {
    for (const role of roles) {
      const args = [role, functionName === 'grantRole' ? holder : issuer] as const
      const data = encodeFunctionData({ abi: controlAbi, functionName, args })
      await chain.send({ from: issuer, to: token, data })
    }
  }
}
