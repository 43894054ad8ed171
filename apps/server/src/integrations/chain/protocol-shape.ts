import { type Address, parseAbi } from 'viem'
import type { ChainClient } from './client.ts'
import { answered, readContract } from './contract-call.ts'
import { isDelegation } from './delegation.ts'
import { detect } from './detect-market.ts'
import { type Pin, readAtBlock } from './finalized.ts'
import type { Header } from './header.ts'
import { codeAt } from './safe-account.ts'

/** Functions specific to exchange and lending contracts, which hold assets of many users. */
const protocolAbi = parseAbi([
  'function feeAmountTickSpacing(uint24 fee) view returns (int24)',
  'function allPairsLength() view returns (uint256)',
  'function factory() view returns (address)',
  'function WETH9() view returns (address)',
  'function WETH() view returns (address)',
  'function extsload(bytes32 slot) view returns (bytes32)',
  'function protocolFeesAccrued(address currency) view returns (uint256)',
  'function poolManager() view returns (address)',
  'function getReservesList() view returns (address[])',
  'function UNDERLYING_ASSET_ADDRESS() view returns (address)',
  'function POOL() view returns (address)',
  'function baseToken() view returns (address)',
  'function numAssets() view returns (uint8)',
  'function comptroller() view returns (address)',
  'function exchangeRateStored() view returns (uint256)',
  // No contract declares this function. A contract that returns a value for it does so for every
  // call, so its other responses prove nothing.
  'function undeclaredFunctionProbe() view returns (uint256)',
])

const zero = `0x${'0'.repeat(40)}` as Address
const markets = {
  UNISWAP_V2: 'a pair of Uniswap v2 or a fork',
  UNISWAP_V3: 'a pool of Uniswap v3 or a fork',
  STABLESWAP: 'a StableSwap pool',
} as const

/**
 * Describes the exchange or lending contract at an address by its responses at a block; null if it
 * resembles none. A match needs two functions that only such a contract combines, or one with a
 * unique result.
 *
 * @throws ChainError if a read fails
 */
export async function protocolAt(
  client: ChainClient,
  block: Header,
  address: Address,
): Promise<string | null> {
  const code = await readAtBlock(client, block, (pin) => codeAt(client, pin, address))
  // An EIP-7702 account responds with the code of another, but is still a key account.
  if (code === '0x' || isDelegation(code)) return null
  const found = await detect(client, block, address)
  if (found.is === 'MARKET') return markets[found.market.kind]
  return readAtBlock(client, block, (pin) => shapeOf(client, pin, address))
}

type Name = (typeof protocolAbi)[number]['name']

async function shapeOf(client: ChainClient, pin: Pin, address: Address): Promise<string | null> {
  const call = { address, abi: protocolAbi } as const
  const answers = async (name: Name, args: readonly unknown[] = []) =>
    (await answered(() =>
      readContract(client, pin, { ...call, functionName: name, args: args as never }),
    )) !== null
  const all = async (...requested: Promise<boolean>[]) =>
    !(await Promise.all(requested)).includes(false)
  if (await answers('undeclaredFunctionProbe')) return null
  const shapes = await Promise.all([
    all(answers('feeAmountTickSpacing', [500])).then((is) => is && 'a Uniswap v3 factory'),
    all(answers('allPairsLength')).then((is) => is && 'a Uniswap v2 factory'),
    all(answers('factory'), answers('WETH9')).then(
      (is) => is && 'a router or position manager of Uniswap v3',
    ),
    all(answers('factory'), answers('WETH')).then((is) => is && 'a Uniswap v2 router'),
    all(answers('extsload', [`0x${'0'.repeat(64)}`]), answers('protocolFeesAccrued', [zero])).then(
      (is) => is && 'the Uniswap v4 pool manager',
    ),
    answers('poolManager').then((is) => is && 'a router, hook or position manager of Uniswap v4'),
    answers('getReservesList').then((is) => is && 'an Aave lending pool'),
    all(answers('UNDERLYING_ASSET_ADDRESS'), answers('POOL')).then(
      (is) => is && 'a reserve of an Aave lending pool',
    ),
    all(answers('baseToken'), answers('numAssets')).then(
      (is) => is && 'a Compound v3 lending market',
    ),
    all(answers('comptroller'), answers('exchangeRateStored')).then(
      (is) => is && 'a Compound v2 lending market',
    ),
  ])
  return shapes.find((shape) => shape !== false) ?? null
}
