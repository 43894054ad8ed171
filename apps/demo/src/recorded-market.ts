import {
  erc20Abi,
  forwardData,
  type Localchain,
  type Market,
  paymentData,
  sortTokens,
  v3FactoryAbi,
  v3PoolAbi,
  weth9Abi,
} from '@liquidity-os/localchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { drawOf } from './drawn.ts'
import { type RecordedPrice, readRecordedPrices, recordedDays } from './recorded-prices.ts'

/**
 * A v3 pool whose price follows the recorded pool WETH/OP. The price is recorded, and the trades
 * that lead to it are simulated.
 */
export interface RecordedMarket {
  readonly pool: Address
  readonly token: Address
  readonly quote: Address
  /** Block of the pool's first price. */
  readonly startBlock: number
  /** Account that provides most of the depth. */
  readonly maker: Address
  /** Account that pays for all trades. */
  readonly trader: Address
}

export const recordedSymbol = 'OP'
const ether = 10n ** 18n
const [daySeconds, hourSeconds] = [86_400, 3600]
const q192 = 2n ** 192n
const maxUint128 = 2n ** 128n - 1n
/** More than any swap pays, so that each swap ends at its price limit. */
const unlimited = 1_000_000n * ether
const funds = 3000n * ether
const funder = 3
/** Time between the last trade and now. */
const finalSeconds = 60

/** Two liquidity providers: ticks around the middle of the recorded prices, and liquidity. */
const providers = {
  pool: { ticks: 12_000, liquidity: 60_000n * ether },
  maker: { ticks: 6_000, liquidity: 100_000n * ether },
} as const
type Provider = keyof typeof providers
/** Tick of 0.00081 WETH per OP, and thus of its inverse with another sign. */
const middleTick = 71_160

/** The full UTC day before yesterday: the market maker withdraws from 09:00 to 10:00. */
export const withdrawalOf = (now: number) => {
  const day = now - (now % daySeconds) - 2 * daySeconds
  return { day, from: day + 9 * hourSeconds, to: day + 10 * hourSeconds }
}

/** Trades until a time; used to interleave the market with others on one chain. */
export interface Trading {
  tradeUntil(at: number): Promise<void>
}

/** Mines one block. */
type Step = { readonly at: number; readonly run: () => Promise<void> }

/**
 * Opens the pool and returns its trades, which have not run yet.
 *
 * @param now end of the shifted recording, in Unix seconds
 */
export async function openRecordedMarket(
  chain: Localchain,
  now: number,
  onProgress: (done: number, total: number) => void,
): Promise<Trading> {
  const prices = readRecordedPrices(now - finalSeconds)
  const [first, ...later] = prices
  if (!first) throw new Error(`The recording of WETH/OP has no swap in ${recordedDays} days.`)
  await chain.testClient.setBlockTimestampInterval({ interval: 12 })
  await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(first.at - hourSeconds) })
  const market = await deployMarket(chain, first)
  const { from, to } = withdrawalOf(now)
  const steps: Step[] = [
    ...follow(chain, market, first, later),
    { at: from, run: () => burn(chain, market) },
    { at: from, run: () => collect(chain, market) },
    { at: to, run: () => mint(chain, market, 'maker') },
  ].sort((a, b) => a.at - b.at)
  let done = 0
  return {
    tradeUntil: async (until) => {
      const isDue = (step: Step | undefined) => step !== undefined && step.at < until
      if (!isDue(steps[done])) return
      let { timestamp } = await chain.publicClient.getBlock()
      for (let step = steps[done]; step && isDue(step); step = steps[done]) {
        const next = BigInt(step.at)
        timestamp = next > timestamp ? next : timestamp + 1n
        await chain.testClient.setNextBlockTimestamp({ timestamp })
        await step.run()
        done += 1
        onProgress(done, steps.length)
      }
    },
  }
}

/**
 * The market as found on chain; null in a data directory of an earlier release, or if its blocks are
 * incomplete.
 */
export async function findRecordedMarket({
  publicClient,
  contracts,
}: Localchain): Promise<RecordedMarket | null> {
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
    const quote = contracts.weth9
    const token = BigInt(token0) === BigInt(quote) ? token1 : token0
    const symbol = await publicClient.readContract({ ...read, address: token })
    if (symbol !== recordedSymbol) continue
    const minted = await publicClient.getContractEvents({
      address: pool,
      abi: v3PoolAbi,
      eventName: 'Mint',
      fromBlock: blockNumber,
      strict: true,
    })
    const swaps = await publicClient.getContractEvents({
      address: pool,
      abi: v3PoolAbi,
      eventName: 'Swap',
      fromBlock: blockNumber,
      strict: true,
    })
    const trader = swaps[0]?.args.sender
    const largest = minted.toSorted((a, b) => (a.args.amount < b.args.amount ? 1 : -1))[0]
    if (!largest || !trader) return null
    const maker = largest.args.owner
    return { pool, token, quote, startBlock: Number(blockNumber), maker, trader }
  }
  return null
}

/** Pool, its payers, and the recorded orientation. */
interface Deployed extends Market {
  readonly isInverted: boolean
  readonly payers: Readonly<Record<Provider | 'trader', Address>>
}

async function deployMarket(chain: Localchain, first: RecordedPrice): Promise<Deployed> {
  const weth = chain.contracts.weth9
  const token = await chain.deployToken({ name: 'OP, recorded prices', symbol: recordedSymbol })
  const isInverted = BigInt(token) < BigInt(weth)
  const payers = {
    pool: await chain.deployPayer(),
    maker: await chain.deployPayer(),
    trader: await chain.deployPayer(),
  }
  const [issuer, bank] = [chain.accounts[0]!.address, chain.accounts[funder]!.address]
  await deposit(chain, bank, funds)
  for (const payer of Object.values(payers)) {
    const share = funds / BigInt(Object.keys(payers).length)
    await transfer(chain, { from: bank, token: weth, to: payer, amount: share })
    await transfer(chain, { from: issuer, token, to: payer, amount: 10_000_000n * ether })
  }
  const pool = await chain.createV3Pool({
    tokenA: token,
    tokenB: weth,
    fee: 3000,
    sqrtPriceX96: oriented(first, isInverted),
  })
  const market = { ...pool, isInverted, payers }
  for (const provider of ['pool', 'maker'] as const) await mint(chain, market, provider)
  return market
}
const oriented = ({ sqrtPriceX96 }: RecordedPrice, isInverted: boolean) =>
  isInverted ? q192 / sqrtPriceX96 : sqrtPriceX96

async function deposit({ send, contracts }: Localchain, from: Address, value: bigint) {
  const data = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' })
  await send({ from, to: contracts.weth9, data, value })
}

interface Transfer {
  readonly from: Address
  readonly token: Address
  readonly to: Address
  readonly amount: bigint
}

async function transfer({ send }: Localchain, { from, token, to, amount }: Transfer) {
  const args = [to, amount] as const
  await send({
    from,
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  })
}

function rangeOf({ isInverted }: Deployed, provider: Provider) {
  const { ticks, liquidity } = providers[provider]
  const middle = isInverted ? -middleTick : middleTick
  return { lower: middle - ticks, upper: middle + ticks, liquidity }
}

async function mint(chain: Localchain, market: Deployed, provider: Provider): Promise<void> {
  const payer = market.payers[provider]
  const { lower, upper, liquidity } = rangeOf(market, provider)
  const args = [payer, lower, upper, liquidity, paymentData(market)] as const
  const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'mint', args })
  await forward(chain, funder, payer, market.address, data)
}

/** The market maker withdraws its liquidity; the tokens remain in the pool until it collects them. */
async function burn(chain: Localchain, market: Deployed): Promise<void> {
  const { lower, upper, liquidity } = rangeOf(market, 'maker')
  const args = [lower, upper, liquidity] as const
  const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'burn', args })
  await forward(chain, funder, market.payers.maker, market.address, data)
}

async function collect(chain: Localchain, market: Deployed): Promise<void> {
  const { maker } = market.payers
  const { lower, upper } = rangeOf(market, 'maker')
  const args = [maker, lower, upper, maxUint128, maxUint128] as const
  const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'collect', args })
  await forward(chain, funder, maker, market.address, data)
}

/** One swap to each recorded price. Each account only buys or only sells. */
function follow(
  chain: Localchain,
  market: Deployed,
  first: RecordedPrice,
  later: readonly RecordedPrice[],
): Step[] {
  const traded = { ...market, trader: market.payers.trader }
  let before = oriented(first, market.isInverted)
  return later.flatMap((price, index) => {
    const limit = oriented(price, market.isInverted)
    if (limit === before) return []
    const isDown = limit < before
    before = limit
    const account = 4 + Number(drawOf(BigInt(index)) % 3n) + (isDown ? 3 : 0)
    return { at: price.at, run: () => swapTo(chain, traded, { account, isDown, limit }) }
  })
}

interface Swap {
  readonly account: number
  /** The price of token0 falls. */
  readonly isDown: boolean
  readonly limit: bigint
}

interface Traded extends Pick<Market, 'address' | 'token0' | 'token1'> {
  readonly trader: Address
}

async function swapTo(
  chain: Localchain,
  { trader, ...pool }: Traded,
  { account, isDown, limit }: Swap,
): Promise<void> {
  const args = [trader, isDown, unlimited, limit, paymentData(pool)] as const
  const data = encodeFunctionData({ abi: v3PoolAbi, functionName: 'swap', args })
  await forward(chain, account, trader, pool.address, data)
}

/**
 * A small swap of up to 0.3 % of the price. Three of four swaps lead back to the last recorded
 * price.
 */
export function swapAround(
  chain: Localchain,
  { pool, token, quote, trader }: RecordedMarket,
): (draw: bigint) => Promise<void> {
  const last = readRecordedPrices(0).at(-1)
  if (!last) throw new Error('The recording of WETH/OP has no swap.')
  const [token0, token1] = sortTokens(token, quote)
  const middle = oriented(last, token0 === token)
  return async (draw) => {
    const [sqrtPriceX96] = await chain.publicClient.readContract({
      address: pool,
      abi: v3PoolAbi,
      functionName: 'slot0',
    })
    const isBack = (draw >> 16n) % 4n !== 0n
    const isDown = sqrtPriceX96 > middle === isBack
    const move = (sqrtPriceX96 * (2n + (draw % 14n))) / 10_000n
    const account = 4 + Number(draw % 3n) + (isDown ? 3 : 0)
    const limit = sqrtPriceX96 + (isDown ? -move : move)
    await swapTo(chain, { address: pool, token0, token1, trader }, { account, isDown, limit })
  }
}

async function forward(
  { send, accounts }: Localchain,
  account: number,
  payer: Address,
  pool: Address,
  data: Hex,
): Promise<void> {
  await send({ from: accounts[account]!.address, to: payer, data: forwardData(pool, data) })
}
