import type { UniswapV2Operation, UniswapV3Operation } from '@liquidity-os/engine/parity'
import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  parseAbi,
} from 'viem'
import { erc20Abi, type SimulatedCall, v2PairAbi, v3PoolAbi } from '../../src/index.ts'
import { payerAddress, type Stage, type StagePool } from './stage.ts'

/** One view call, and how its result is named among the storage fields. */
type Reading = {
  readonly to: Address
  readonly abi: Abi
  readonly functionName: string
  readonly args?: readonly unknown[]
  /** Field name of a single result, or prefix of the names of several. */
  readonly field: string
}

const multicallAbi = parseAbi([
  'struct Call { address target; uint256 gasLimit; bytes callData; }',
  'struct Result { bool success; uint256 gasUsed; bytes returnData; }',
  'function multicall(Call[] calls) returns (uint256 blockNumber, Result[] results)',
])

/** Slots of the oracle that a generated sequence can have grown to. */
const observationSlots = 13

/** Reads every storage field that any of these operations could have written. */
export function v3Readings(
  stage: Stage,
  pool: StagePool,
  operations: readonly UniswapV3Operation[],
): Reading[] {
  const read = (functionName: string, args: readonly unknown[], field: string): Reading => ({
    to: pool.address,
    abi: v3PoolAbi,
    functionName,
    args,
    field,
  })
  const balance = (token: Address, field: string): Reading => ({
    to: token,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [pool.address],
    field,
  })
  const keys = new Map<string, readonly [string, number, number]>()
  for (const operation of operations) {
    if (!('tickLower' in operation)) continue
    const key = [operation.owner, operation.tickLower, operation.tickUpper] as const
    keys.set(key.join(), key)
  }
  const ticks = new Set([...keys.values()].flatMap(([, lower, upper]) => [lower, upper]))
  const words = new Set([...ticks].map((tick) => Math.floor(tick / pool.tickSpacing) >> 8))
  return [
    read('slot0', [], 'slot0'),
    read('feeGrowthGlobal0X128', [], 'feeGrowthGlobal0X128'),
    read('feeGrowthGlobal1X128', [], 'feeGrowthGlobal1X128'),
    read('protocolFees', [], 'protocolFees'),
    read('liquidity', [], 'liquidity'),
    balance(pool.token0, 'balance0'),
    balance(pool.token1, 'balance1'),
    ...[...ticks].map((tick) => read('ticks', [tick], `ticks[${tick}]`)),
    ...[...words].map((word) => read('tickBitmap', [word], `tickBitmap[${word}]`)),
    ...[...keys].map(([name, key]) =>
      read('positions', [positionHash(stage, key)], `positions[${name}]`),
    ),
    ...Array.from({ length: observationSlots }, (_, slot) =>
      read('observations', [slot], `observations[${slot}]`),
    ),
  ]
}

function positionHash(stage: Stage, [owner, lower, upper]: readonly [string, number, number]): Hex {
  const types = ['address', 'int24', 'int24'] as const
  return keccak256(encodePacked(types, [payerAddress(stage, owner), lower, upper]))
}

/** Reads every storage field of the pair, and the liquidity of every holder. */
export function v2Readings(stage: Stage, operations: readonly UniswapV2Operation[]): Reading[] {
  const { pair, holders } = stage
  const read = (functionName: string, field = functionName, args: unknown[] = []): Reading => ({
    to: pair.address,
    abi: v2PairAbi,
    functionName,
    args,
    field,
  })
  const balance = (to: Address, field: string): Reading => ({
    to,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [pair.address],
    field,
  })
  const locked = operations.length > 0 ? [['locked', `0x${'0'.repeat(40)}`]] : []
  return [
    ...['price0CumulativeLast', 'price1CumulativeLast', 'kLast', 'totalSupply'].map((name) =>
      read(name),
    ),
    read('getReserves', ''),
    balance(pair.token0, 'balance0'),
    balance(pair.token1, 'balance1'),
    ...[...Object.entries(holders), ...locked].map(([name, holder]) =>
      read('balanceOf', `balanceOf[${name}]`, [holder]),
    ),
  ]
}

/** One call that makes all readings. */
export function readingsCall(stage: Stage, readings: readonly Reading[]): SimulatedCall {
  const calls = readings.map(({ to, abi, functionName, args }) => ({
    target: to,
    gasLimit: 1_000_000n,
    callData: encodeFunctionData({ abi, functionName, args: args ?? [] }),
  }))
  const data = encodeFunctionData({ abi: multicallAbi, functionName: 'multicall', args: [calls] })
  return { from: stage.deployer, to: stage.multicall, data }
}

/** Names and values of the storage fields, as decimal text like the engine's `listStorage`. */
export function parseReadings(readings: readonly Reading[], returned: Hex): Map<string, string> {
  const [, results] = decodeFunctionResult({
    abi: multicallAbi,
    functionName: 'multicall',
    data: returned,
  })
  const fields = new Map<string, string>()
  for (const [index, { abi, functionName, field }] of readings.entries()) {
    const result = results[index]
    if (!result?.success) throw new Error(`reading ${functionName} of ${field} failed`)
    const value: unknown = decodeFunctionResult({ abi, functionName, data: result.returnData })
    if (!Array.isArray(value)) {
      fields.set(field, String(value))
      continue
    }
    const entry = abi.find((item) => item.type === 'function' && item.name === functionName)
    const outputs = entry?.type === 'function' ? entry.outputs : []
    for (const [itemIndex, { name }] of outputs.entries()) {
      fields.set(field === '' ? `${name}` : `${field}.${name}`, String(value[itemIndex]))
    }
  }
  return fields
}
