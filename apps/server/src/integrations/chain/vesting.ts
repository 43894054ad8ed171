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
      /** Length of a step; 1 unlocks continuously. */
      readonly stepSeconds: number
      /** Some releases of Sablier round the share of time down to 10^−18 first. */
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
  const times = { startAt, cliffAt, endAt, stepSeconds: 1 }
  const vesting: Linear = { kind: 'LINEAR', total, ...times, precision: 'EXACT' }
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
  'function getUnderlyingToken(uint256 streamId) view returns (address)',
  'function getLockupModel(uint256 streamId) view returns (uint8)',
  'function getDepositedAmount(uint256 streamId) view returns (uint128)',
  'function getWithdrawnAmount(uint256 streamId) view returns (uint128)',
  'function getRefundedAmount(uint256 streamId) view returns (uint128)',
  'function getStartTime(uint256 streamId) view returns (uint40)',
  'function getCliffTime(uint256 streamId) view returns (uint40)',
  'function getEndTime(uint256 streamId) view returns (uint40)',
  'function getGranularity(uint256 streamId) view returns (uint40)',
  'struct UnlockAmounts { uint128 start; uint128 cliff; }',
  'function getUnlockAmounts(uint256 streamId) view returns (UnlockAmounts)',
  'function wasCanceled(uint256 streamId) view returns (bool)',
  'function streamedAmountOf(uint256 streamId) view returns (uint128)',
  'struct Tranche { uint128 amount; uint40 timestamp; }',
  'function getTranches(uint256 streamId) view returns (Tranche[])',
  'function nextStreamId() view returns (uint256)',
])

/** The last second of the year 9999, and the longest step of a schedule of the contract. */
const latestTime = 253_402_300_799
const longestStep = 31_622_400

/** Models of Sablier Lockup by number; the contracts of Sablier V2 Core have one model each. */
const models = ['linear', 'dynamic', 'tranched', 'price-gated'] as const

/**
 * Reads linear or tranched streams of Sablier V2 Core and of Sablier Lockup. The streamed amount at
 * the block must match the schedule. Other models and incompatible releases are unsupported.
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
    else if (read.vestings === null) {
      return { kind: 'UNSUPPORTED', message: `stream ${id} ${faultOf(read.model)}` }
    } else vestings.push(...read.vestings)
  }
  const balance = await balanceOf(client, pin, token, address)
  return { kind: 'READ', vestings, owed, balance, cancelled }
}

function faultOf(model: string | null): string {
  return model === 'dynamic' || model === 'price-gated'
    ? `is ${model}: only linear and tranched streams can be read`
    : 'does not match a linear or tranched schedule'
}

type Stream = {
  readonly address: Address
  readonly abi: typeof lockupAbi
  readonly args: readonly [bigint]
}

async function readStream(client: ChainClient, pin: Pin, address: Address, id: bigint) {
  const at = { address, abi: lockupAbi, args: [id] } as const
  const asset =
    (await answered(() => readContract(client, pin, { ...at, functionName: 'getAsset' }))) ??
    (await answered(() => readContract(client, pin, { ...at, functionName: 'getUnderlyingToken' })))
  if (asset === null) return null
  const [deposited, withdrawn, refunded, wasCancelled, streamed, model] = await Promise.all([
    readContract(client, pin, { ...at, functionName: 'getDepositedAmount' }),
    readContract(client, pin, { ...at, functionName: 'getWithdrawnAmount' }),
    readContract(client, pin, { ...at, functionName: 'getRefundedAmount' }),
    readContract(client, pin, { ...at, functionName: 'wasCanceled' }),
    readContract(client, pin, { ...at, functionName: 'streamedAmountOf' }),
    answered(() => readContract(client, pin, { ...at, functionName: 'getLockupModel' })),
  ])
  const vestings = wasCancelled ? null : await scheduleOf(client, pin, at, { deposited, model })
  const isSame =
    vestings !== null &&
    vestings.reduce((sum, one) => sum + vestedOf(one, pin.block.timestamp), 0n) === streamed
  return {
    asset,
    deposited,
    withdrawn,
    refunded,
    wasCancelled,
    model: model === null ? null : (models[model] ?? null),
    vestings: isSame ? vestings : null,
  }
}

/** Parts that together unlock the deposit; null for another model. */
async function scheduleOf(
  client: ChainClient,
  pin: Pin,
  at: Stream,
  { deposited, model }: { readonly deposited: bigint; readonly model: number | null },
): Promise<readonly ReadVesting[] | null> {
  const name = model === null ? null : models[model]
  if (name !== null && name !== 'linear' && name !== 'tranched') return null
  if (name !== 'linear') {
    const tranches = await answered(() =>
      readContract(client, pin, { ...at, functionName: 'getTranches' }),
    )
    if (tranches !== null) {
      const unlocks = tranches.map(({ amount, timestamp }) => ({ amount, at: timestamp }))
      if (unlocks.some(({ at: time }) => time > latestTime)) return null
      return [{ kind: 'TRANCHES', tranches: unlocks }]
    }
  }
  const [startAt, endAt, cliff] = await Promise.all([
    readContract(client, pin, { ...at, functionName: 'getStartTime' }),
    readContract(client, pin, { ...at, functionName: 'getEndTime' }),
    answered(() => readContract(client, pin, { ...at, functionName: 'getCliffTime' })),
  ])
  if (cliff === null || endAt > latestTime) return null
  // The contract returns zero if no cliff exists.
  const cliffAt = cliff === 0 ? startAt : cliff
  const times = { endAt, cliffAt, stepSeconds: 1 }
  if (name === null) {
    return [{ kind: 'LINEAR', total: deposited, startAt, ...times, precision: 'X18' }]
  }
  return lockupLinear(client, pin, at, { deposited, startAt, cliffAt, endAt })
}

/**
 * A linear stream of Sablier Lockup: parts at the start and at the cliff, and the rest evenly from
 * the cliff on. Releases from 4.0 on unlock in steps, without rounding the share of time first.
 */
async function lockupLinear(
  client: ChainClient,
  pin: Pin,
  at: Stream,
  terms: Pick<Linear, 'startAt' | 'cliffAt' | 'endAt'> & { readonly deposited: bigint },
): Promise<readonly ReadVesting[] | null> {
  const { deposited, startAt, cliffAt, endAt } = terms
  const [unlock, granularity] = await Promise.all([
    answered(() => readContract(client, pin, { ...at, functionName: 'getUnlockAmounts' })),
    answered(() => readContract(client, pin, { ...at, functionName: 'getGranularity' })),
  ])
  if (unlock === null) return null
  const total = deposited - unlock.start - unlock.cliff
  if (total < 0n || granularity === 0 || (granularity ?? 1) > longestStep) return null
  const tranches = [
    { at: startAt, amount: unlock.start },
    { at: cliffAt, amount: unlock.cliff },
  ].filter(({ amount }) => amount > 0n)
  return [
    ...(tranches.length > 0 ? [{ kind: 'TRANCHES', tranches } as const] : []),
    {
      kind: 'LINEAR',
      total,
      startAt: cliffAt,
      cliffAt,
      endAt,
      stepSeconds: granularity ?? 1,
      precision: granularity === null ? 'X18' : 'EXACT',
    },
  ]
}

/**
 * Unlocked amount at a time: zero before the cliff, then ⌊total · passed / duration⌋ in whole steps,
 * as the contracts compute it.
 */
export function vestedOf(vesting: ReadVesting, time: number): bigint {
  if (vesting.kind === 'TRANCHES') {
    const free = vesting.tranches.filter(({ at }) => at <= time)
    return free.reduce((sum, { amount }) => sum + amount, 0n)
  }
  const { total, startAt, cliffAt, endAt, stepSeconds, precision } = vesting
  if (time < startAt || time < cliffAt) return 0n
  if (time >= endAt) return total
  const steps = Math.floor((time - startAt) / stepSeconds)
  const [passed, whole] = [BigInt(steps * stepSeconds), BigInt(endAt - startAt)]
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
