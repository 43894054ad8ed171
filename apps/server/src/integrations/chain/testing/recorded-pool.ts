import { type StableState, viewVirtualPrice } from '@liquidity-os/engine/amm'
import type { Localchain } from '@liquidity-os/localchain'
import {
  type AbiEvent,
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  pad,
  parseAbi,
  parseAbiItem,
  toHex,
  zeroAddress,
} from 'viem'
import { keccak256 } from '../../../keccak256.ts'
import { signedIndexAbi, stableSwapAbi } from '../stableswap-abi.ts'
import { type Behaviour, type ProviderProxy, startProviderProxy } from './provider-proxy.ts'

/** How a recorded pool answers, which differs between the builds. */
export type RecordedBuild = {
  readonly address: Address
  readonly coins: readonly { readonly address: Address; readonly decimals: number }[]
  /** Its liquidity, where the pool is not it. */
  readonly lpToken?: Address
  /** Whether it answers `stored_rates`, as a fixed or as a dynamic list. */
  readonly rates?: 'FIXED' | 'DYNAMIC'
  /** Counts its coins with signed integers, as pools of 2020. */
  readonly isSigned?: boolean
}

/** A log as the pool's own source declares it, e.g. `event RampA(uint256 a, ...)`, and its values in order. */
export type RecordedLog = { readonly event: string; readonly values: readonly unknown[] }

/** A coin that leaves the pool in the same transaction, or enters it below zero. */
export type RecordedTransfer = { readonly coin: number; readonly amount: bigint }

export type RecordedPool = {
  readonly url: string
  /**
   * Mines a block in which the pool writes these logs and after which it is in this state. Coins
   * move as the balances of the state, unless transfers of the coin are given.
   */
  write(
    logs: readonly RecordedLog[],
    state: StableState,
    transfers?: readonly RecordedTransfer[],
  ): Promise<number>
  stop(): Promise<void>
}

/** Who signed every recorded transaction. */
export const recordedSigner: Address = '0x00000000000000000000000000000000000051e7'
const buyer: Address = '0x000000000000000000000000000000000000b0b0'

const poolAbi = [
  ...stableSwapAbi,
  ...parseAbi([
    'function decimals() view returns (uint8)',
    'function balanceOf(address) view returns (uint256)',
    'function stored_rates() view returns (uint256[])',
  ]),
] as const

type Written = { readonly block: number; readonly state: StableState }
type RpcLog = Record<string, unknown> & {
  readonly blockNumber: Hex
  readonly address: Address
  readonly topics: readonly Hex[]
}

type LogFilter = {
  readonly address: Address | readonly Address[]
  readonly fromBlock: Hex
  readonly toBlock: Hex
  readonly topics?: readonly (Hex | readonly Hex[] | null)[]
}

const hasTopics = ({ topics }: RpcLog, wanted: LogFilter['topics'] = []): boolean =>
  wanted.every(
    (topic, place) =>
      topic === null ||
      [topic].flat().some((one) => one.toLowerCase() === topics[place]?.toLowerCase()),
  )

/**
 * A real node in front of which a StableSwap pool stands whose states and logs are given: no bytecode of these pools
 * may be kept here. Blocks, hashes and finality are the node's; what is asked of the pool is answered from the record.
 */
export async function startRecordedPool(
  chain: Localchain,
  build: RecordedBuild,
): Promise<RecordedPool> {
  const written: Written[] = []
  const logs: RpcLog[] = []
  const receipts = new Map<Hex, { blockHash: Hex; logs: RpcLog[] }>()
  /** Time alone moves the amplification, so a state is asked for at the time of its block. */
  const stateFor = async (at: unknown): Promise<StableState | null> => {
    const named =
      typeof at === 'string'
        ? { blockNumber: BigInt(at) }
        : { blockHash: (at as { blockHash: Hex }).blockHash }
    const { number, timestamp } = await chain.publicClient.getBlock(named)
    const found = written.findLast((one) => one.block <= Number(number))
    return found === undefined ? null : { ...found.state, blockTimestamp: Number(timestamp) }
  }
  const behave: Behaviour = async ({ method, params }, forward) => {
    if (method === 'eth_getTransactionByHash' && receipts.has(params[0] as Hex)) {
      const hash = params[0] as Hex
      return { result: { hash, blockHash: receipts.get(hash)?.blockHash, from: recordedSigner } }
    }
    if (method === 'eth_getTransactionReceipt' && receipts.has(params[0] as Hex)) {
      return { result: receiptOf(params[0] as Hex, receipts.get(params[0] as Hex)!) }
    }
    if (method === 'eth_getLogs') {
      const requested = params[0] as LogFilter
      const [from, to] = [Number(requested.fromBlock), Number(requested.toBlock)]
      const addresses = [requested.address].flat().map((address) => address.toLowerCase())
      const isInside = ({ blockNumber, address }: RpcLog) =>
        addresses.includes(address.toLowerCase()) &&
        Number(blockNumber) >= from &&
        Number(blockNumber) <= to
      return { result: logs.filter((log) => isInside(log) && hasTopics(log, requested.topics)) }
    }
    if (method === 'eth_getCode' && params[0] === build.address) {
      const state = await stateFor(params[1])
      // The code itself is not the record's to keep; that there is some is all that is asked.
      return { result: state === null ? '0x' : '0xfe' }
    }
    if (method === 'eth_call') {
      const { to, data } = params[0] as { to: Address; data: Hex }
      const state = await stateFor(params[1])
      const answer = state === null ? '0x' : answerOf(build, state, to, data)
      if (answer !== null) return { result: answer }
      const isOurs = [build.address, build.lpToken, ...build.coins.map(({ address }) => address)]
      if (isOurs.includes(to)) return { error: { code: 3, message: 'execution reverted' } }
    }
    return forward()
  }
  const proxy: ProviderProxy = await startProviderProxy(chain.rpcUrl, behave)
  return {
    url: proxy.url,
    async write(texts, state, transfers = []) {
      await chain.mine(1)
      const { number, hash } = await chain.publicClient.getBlock()
      const transactionHash = keccak256(toHex(`${build.address} ${number}`))
      const before = written.at(-1)?.state
      const moved = heldBy(state).map((held, coin) => ({
        coin,
        amount: (before ? heldBy(before)[coin]! : 0n) - held,
      }))
      const own = moved.filter(
        ({ coin, amount }) => amount !== 0n && transfers.every((one) => one.coin !== coin),
      )
      const all = [
        ...[...transfers, ...own].map((transfer) => transferOf(build, transfer)),
        ...texts.map((text) => ({ address: build.address, ...encoded(text) })),
      ].map((log, logIndex) => ({
        ...log,
        transactionHash,
        blockHash: hash,
        blockNumber: toHex(number),
        logIndex: toHex(logIndex),
      }))
      receipts.set(transactionHash, { blockHash: hash, logs: all })
      logs.push(...all)
      written.push({ block: Number(number), state })
      return Number(number)
    },
    stop: () => proxy.stop(),
  }
}

/** What the pool holds of each coin: balances of providers and of the admin. */
const heldBy = ({ balances, adminBalances }: StableState): bigint[] =>
  balances.map((balance, coin) => balance + (adminBalances[coin] ?? 0n))

function answerOf(build: RecordedBuild, state: StableState, to: Address, data: Hex): Hex | null {
  const name = nameOf(data)
  const word = (value: bigint | number) => toHex(value, { size: 32 })
  const coin = build.coins.find(({ address }) => address === to)
  if (coin !== undefined && name.functionName === 'balanceOf') {
    return word(heldBy(state)[build.coins.indexOf(coin)] ?? 0n)
  }
  if (coin !== undefined && name.functionName === 'decimals') return word(coin.decimals)
  if (to === (build.lpToken ?? build.address) && name.functionName === 'totalSupply') {
    return word(state.totalSupply)
  }
  if (to !== build.address || (name.isIndexed && name.isSigned !== (build.isSigned ?? false))) {
    return null
  }
  const at = Number(name.index ?? 0)
  const { ramp } = state
  switch (name.functionName) {
    case 'coins': {
      const found = build.coins[at]
      return found === undefined ? null : pad(found.address)
    }
    case 'balances':
      return word(state.balances[at] ?? 0n)
    case 'initial_A':
      return word(ramp.initialA)
    case 'future_A':
      return word(ramp.futureA)
    case 'initial_A_time':
      return word(ramp.initialAt)
    case 'future_A_time':
      return word(ramp.futureAt)
    case 'fee':
      return word(state.feeX10)
    case 'admin_fee':
      return word(state.adminFeeX10)
    case 'offpeg_fee_multiplier':
      return state.variant === 'NG' ? word(state.offpegFeeMultiplierX10) : null
    case 'get_virtual_price':
      return word(viewVirtualPrice(state))
    case 'stored_rates':
      return ratesOf(build, state)
    default:
      return name.functionName === 'admin_balances' ? word(state.adminBalances[at] ?? 0n) : null
  }
}

function nameOf(data: Hex) {
  const decoded = (abi: typeof poolAbi | typeof signedIndexAbi, isSigned: boolean) => {
    try {
      const { functionName, args } = decodeFunctionData({ abi, data })
      const index = args?.[0]
      // The balances of the admin are counted alike in every build.
      const isIndexed = functionName === 'coins' || functionName === 'balances'
      return { functionName, index, isSigned, isIndexed }
    } catch {
      return null
    }
  }
  const none = { functionName: null, index: undefined, isSigned: false, isIndexed: false }
  return decoded(poolAbi, false) ?? decoded(signedIndexAbi, true) ?? none
}

function ratesOf({ rates }: RecordedBuild, state: StableState): Hex | null {
  if (rates === undefined) return null
  const type = rates === 'DYNAMIC' ? 'uint256[]' : `uint256[${state.rates.length}]`
  return encodeAbiParameters([{ type }], [[...state.rates]])
}

function encoded({ event, values }: RecordedLog): { topics: Hex[]; data: Hex } {
  const item = parseAbiItem(event) as AbiEvent
  const named = item.inputs.filter(({ indexed }) => indexed).map(({ name }) => [name, buyer])
  const topics = encodeEventTopics({ abi: [item], args: Object.fromEntries(named) }) as Hex[]
  const plain = item.inputs.filter(({ indexed }) => !indexed)
  return { topics, data: encodeAbiParameters(plain, values) }
}

function transferOf({ address, coins }: RecordedBuild, { coin, amount }: RecordedTransfer) {
  const text = 'event Transfer(address indexed from, address indexed to, uint256 value)'
  const { topics, data } = encoded({ event: text, values: [amount < 0n ? -amount : amount] })
  const parties = amount < 0n ? [pad(buyer), pad(address)] : [pad(address), pad(buyer)]
  // The coin was named by the test.
  return { address: coins[coin]!.address, topics: [topics[0]!, ...parties], data }
}

function receiptOf(hash: Hex, { blockHash, logs }: { blockHash: Hex; logs: RpcLog[] }) {
  const zero = '0x0'
  return {
    transactionHash: hash,
    blockHash,
    blockNumber: logs[0]?.blockNumber ?? zero,
    logs,
    transactionIndex: zero,
    status: '0x1',
    gasUsed: zero,
    effectiveGasPrice: zero,
    from: recordedSigner,
    to: zeroAddress,
  }
}
