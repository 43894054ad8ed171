import { type Address, isAddressEqual, parseAbi } from 'viem'
import { tokenAbi } from './abis.ts'
import type { ChainClient } from './client.ts'
import { answered, readContract } from './contract-call.ts'
import type { Pin } from './finalized.ts'

/** Token atoms that unlock over time according to a contract; times in Unix seconds. */
export type ReadVesting =
  | {
      readonly kind: 'LINEAR'
      readonly total: bigint
      readonly startAt: number
      readonly cliffAt: number
      readonly endAt: number
      /** Sablier rounds the share of time down to 10^−18 first. */
      readonly precision: 'EXACT' | 'X18'
    }
  | {
      readonly kind: 'TRANCHES'
      readonly tranches: readonly { readonly at: number; readonly amount: bigint }[]
    }

type Linear = Extract<ReadVesting, { kind: 'LINEAR' }>

export type VestingAnswer =
  | {
      readonly kind: 'READ'
      readonly vestings: readonly ReadVesting[]
      /** Outstanding obligation of the contract, and its balance. */
      readonly owed: bigint
      readonly balance: bigint
      /** Canceled streams; they unlock no further tokens. */
      readonly cancelled: readonly string[]
    }
  | { readonly kind: 'UNSUPPORTED'; readonly message: string }
  | { readonly kind: 'OTHER_TOKEN'; readonly message: string }
  | { readonly kind: 'UNKNOWN_STREAM'; readonly message: string }

const walletAbi = parseAbi([
  'function start() view returns (uint256)',
  'function duration() view returns (uint256)',
  'function cliff() view returns (uint256)',
  'function released(address token) view returns (uint256)',
  'function vestedAmount(address token, uint64 timestamp) view returns (uint256)',
])

/**
 * Reads an OpenZeppelin VestingWallet for one token. Its balance plus released amount unlocks
 * linearly from start over duration, with an optional cliff. The contract's vested amount must
 * match this at four moments; wallets with a custom curve are unsupported. A later deposit changes
 * the schedule.
 */
export async function readVestingWallet(
  client: ChainClient,
  pin: Pin,
  address: Address,
  token: Address,
): Promise<VestingAnswer> {
  const ask = <Name extends 'start' | 'duration' | 'cliff'>(functionName: Name) =>
    answered(() => readContract(client, pin, { address, abi: walletAbi, functionName }))
  const [start, duration, cliff] = [await ask('start'), await ask('duration'), await ask('cliff')]
  const released = await answered(() =>
    readContract(client, pin, {
      address,
      abi: walletAbi,
      functionName: 'released',
      args: [token],
    }),
  )
  if (start === null || duration === null || released === null) {
    return { kind: 'UNSUPPORTED', message: 'does not provide start, duration and released' }
  }
  const balance = await balanceOf(client, pin, token, address)
  const total = balance + released
  const [startAt, endAt] = [Number(start), Number(start + duration)]
  const cliffAt = Number(cliff ?? start)
  const vesting: Linear = { kind: 'LINEAR', total, startAt, cliffAt, endAt, precision: 'EXACT' }
  const moments = [startAt - 1, vesting.cliffAt, Math.floor((startAt + endAt) / 2), endAt]
  for (const at of moments) {
    if (at < 0) continue
    const stated = await answered(() =>
      readContract(client, pin, {
        address,
        abi: walletAbi,
        functionName: 'vestedAmount',
        args: [token, BigInt(at)],
      }),
    )
    if (stated !== vestedOf(vesting, at)) {
      return {
        kind: 'UNSUPPORTED',
        message: `reports ${stated} vested at ${at}, but a linear schedule gives ${vestedOf(vesting, at)}`,
      }
    }
  }
  return { kind: 'READ', vestings: [vesting], owed: balance, balance, cancelled: [] }
}

const lockupAbi = parseAbi([
  'function getAsset(uint256 streamId) view returns (address)',
  'function getDepositedAmount(uint256 streamId) view returns (uint128)',
  'function getWithdrawnAmount(uint256 streamId) view returns (uint128)',
  'function getRefundedAmount(uint256 streamId) view returns (uint128)',
  'function getStartTime(uint256 streamId) view returns (uint40)',
  'function getCliffTime(uint256 streamId) view returns (uint40)',
  'function getEndTime(uint256 streamId) view returns (uint40)',
  'function wasCanceled(uint256 streamId) view returns (bool)',
  'function streamedAmountOf(uint256 streamId) view returns (uint128)',
  'struct Tranche { uint128 amount; uint40 timestamp; }',
  'function getTranches(uint256 streamId) view returns (Tranche[])',
  'function nextStreamId() view returns (uint256)',
])

/**
 * Reads linear or tranched streams of Sablier V2 Core. The streamed amount at the block must match
 * the schedule. Dynamic streams and incompatible releases are unsupported.
 */
export async function readLockups(
  client: ChainClient,
  pin: Pin,
  address: Address,
  token: Address,
  ids: readonly string[],
): Promise<VestingAnswer> {
  const next = await answered(() =>
    readContract(client, pin, { address, abi: lockupAbi, functionName: 'nextStreamId' }),
  )
  if (next === null) return { kind: 'UNSUPPORTED', message: 'does not provide nextStreamId' }
  const vestings: ReadVesting[] = []
  const cancelled: string[] = []
  let owed = 0n
  for (const id of ids) {
    if (BigInt(id) === 0n || BigInt(id) >= next) {
      return { kind: 'UNKNOWN_STREAM', message: `must be below ${next}, got ${id}` }
    }
    const read = await readStream(client, pin, address, BigInt(id))
    if (read === null) return { kind: 'UNSUPPORTED', message: `does not return stream ${id}` }
    if (!isAddressEqual(read.asset, token)) {
      return { kind: 'OTHER_TOKEN', message: `stream ${id} is a stream of ${read.asset}` }
    }
    owed += read.deposited - read.withdrawn - read.refunded
    if (read.wasCancelled) cancelled.push(id)
    else if (read.vesting === null) {
      const message = `stream ${id} does not match a linear or tranched schedule`
      return { kind: 'UNSUPPORTED', message }
    } else vestings.push(read.vesting)
  }
  const balance = await balanceOf(client, pin, token, address)
  return { kind: 'READ', vestings, owed, balance, cancelled }
}

async function readStream(client: ChainClient, pin: Pin, address: Address, id: bigint) {
  const at = { address, abi: lockupAbi, args: [id] } as const
  const asset = await answered(() => readContract(client, pin, { ...at, functionName: 'getAsset' }))
  if (asset === null) return null
  const [deposited, withdrawn, refunded, wasCancelled, streamed] = await Promise.all([
    readContract(client, pin, { ...at, functionName: 'getDepositedAmount' }),
    readContract(client, pin, { ...at, functionName: 'getWithdrawnAmount' }),
    readContract(client, pin, { ...at, functionName: 'getRefundedAmount' }),
    readContract(client, pin, { ...at, functionName: 'wasCanceled' }),
    readContract(client, pin, { ...at, functionName: 'streamedAmountOf' }),
  ])
  const vesting = wasCancelled ? null : await scheduleOf(client, pin, at, deposited)
  const isSame = vesting !== null && vestedOf(vesting, pin.block.timestamp) === streamed
  return {
    asset,
    deposited,
    withdrawn,
    refunded,
    wasCancelled,
    vesting: isSame ? vesting : null,
  }
}

async function scheduleOf(
  client: ChainClient,
  pin: Pin,
  at: {
    readonly address: Address
    readonly abi: typeof lockupAbi
    readonly args: readonly [bigint]
  },
  total: bigint,
): Promise<ReadVesting | null> {
  const tranches = await answered(() =>
    readContract(client, pin, { ...at, functionName: 'getTranches' }),
  )
  if (tranches !== null) {
    const unlocks = tranches.map(({ amount, timestamp }) => ({ amount, at: timestamp }))
    return { kind: 'TRANCHES', tranches: unlocks }
  }
  const [startAt, endAt, cliff] = await Promise.all([
    readContract(client, pin, { ...at, functionName: 'getStartTime' }),
    readContract(client, pin, { ...at, functionName: 'getEndTime' }),
    answered(() => readContract(client, pin, { ...at, functionName: 'getCliffTime' })),
  ])
  if (cliff === null) return null
  // The contract returns zero if no cliff exists.
  const cliffAt = cliff === 0 ? startAt : cliff
  return { kind: 'LINEAR', total, startAt, endAt, cliffAt, precision: 'X18' }
}

/**
 * Unlocked amount at a time: zero before the cliff, then ⌊total · passed / duration⌋, as both
 * contracts compute it.
 */
export function vestedOf(vesting: ReadVesting, time: number): bigint {
  if (vesting.kind === 'TRANCHES') {
    const free = vesting.tranches.filter(({ at }) => at <= time)
    return free.reduce((sum, { amount }) => sum + amount, 0n)
  }
  const { total, startAt, cliffAt, endAt, precision } = vesting
  if (time < startAt || time < cliffAt) return 0n
  if (time >= endAt) return total
  const [passed, whole] = [BigInt(time - startAt), BigInt(endAt - startAt)]
  return precision === 'EXACT'
    ? (total * passed) / whole
    : (total * ((passed * oneX18) / whole)) / oneX18
}

const oneX18 = 10n ** 18n

const balanceOf = (client: ChainClient, pin: Pin, token: Address, holder: Address) =>
  readContract(client, pin, {
    address: token,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [holder],
  })
