import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { assemble, type Instruction, initCode } from './evm.ts'

/**
 * The payer: the smallest contract that can call a pool directly.
 *
 * A v3 pool requests the tokens from its caller in a callback, so a plain account can neither mint
 * nor swap nor flash on it. The payer forwards any call and responds to the three v3 callbacks by
 * sending the owed amounts from its balance. It accepts `uniswapV2Call` silently. Its funds are
 * unprotected, because any account can forward through it. It exists for tests and replays only.
 */
export const payerAbi = parseAbi([
  'function forward(address target, bytes data) payable returns (bytes)',
])

const transferSelector = BigInt(toFunctionSelector('transfer(address,uint256)'))

function on(signature: string, label: string): Instruction[] {
  return ['DUP1', BigInt(toFunctionSelector(signature)), 'EQ', { offsetOf: label }, 'JUMPI']
}

const copyReturnData: Instruction[] = [
  'RETURNDATASIZE',
  0,
  0,
  'RETURNDATACOPY',
  'RETURNDATASIZE',
  0,
]

/** Pays `max(owed, 0) + extra` of one token: owed is argument 0 or 1, the rest is `paymentData`. */
function pay(index: 0 | 1): Instruction[] {
  const owed = 4 + 32 * index
  const token = 132 + 32 * index
  const extra = 196 + 32 * index
  const done = `paid${index}`
  const amount: Instruction[] = [
    ...([0, owed, 'CALLDATALOAD', 'SGT', owed, 'CALLDATALOAD', 'MUL'] as const),
    ...([extra, 'CALLDATALOAD', 'ADD', 'DUP1', 'ISZERO', { offsetOf: done }, 'JUMPI'] as const),
  ]
  const argumentsInMemory: Instruction[] = [
    ...([
      transferSelector << 224n,
      0,
      'MSTORE',
      'CALLER',
      4,
      'MSTORE',
      'DUP1',
      36,
      'MSTORE',
    ] as const),
  ]
  const call: Instruction[] = [
    ...([32, 0, 68, 0, 0, token, 'CALLDATALOAD', 'GAS', 'CALL'] as const),
    ...([{ offsetOf: done }, 'JUMPI', ...copyReturnData, 'REVERT'] as const),
  ]
  return [...amount, ...argumentsInMemory, ...call, { at: done }]
}

const dispatch: Instruction[] = [
  ...(['CALLDATASIZE', 'ISZERO', { offsetOf: 'accept' }, 'JUMPI'] as const),
  ...([0, 'CALLDATALOAD', 224, 'SHR'] as const),
  ...on('forward(address,bytes)', 'forward'),
  ...on('uniswapV3MintCallback(uint256,uint256,bytes)', 'pay'),
  ...on('uniswapV3SwapCallback(int256,int256,bytes)', 'pay'),
  ...on('uniswapV3FlashCallback(uint256,uint256,bytes)', 'pay'),
  ...on('uniswapV2Call(address,uint256,uint256,bytes)', 'accept'),
  ...([0, 0, 'REVERT', { at: 'accept' }, 'STOP'] as const),
]

const forward: Instruction[] = [
  ...([{ at: 'forward' }, 68, 'CALLDATALOAD', 100, 0, 'CALLDATACOPY'] as const),
  ...([0, 0, 68, 'CALLDATALOAD', 0, 'CALLVALUE', 4, 'CALLDATALOAD', 'GAS', 'CALL'] as const),
  ...([{ offsetOf: 'forwarded' }, 'JUMPI', ...copyReturnData, 'REVERT'] as const),
  ...([{ at: 'forwarded' }, ...copyReturnData, 'RETURN'] as const),
]

/** Runtime code of the payer. */
export const payerCode: Hex = assemble([
  ...dispatch,
  { at: 'pay' },
  ...pay(0),
  ...pay(1),
  'STOP',
  ...forward,
])

/** Init code of the payer; it takes no arguments. */
export const payerInitCode: Hex = initCode([], payerCode)

/** Payment instructions for a callback: the pool's tokens, and a signed extra amount. */
export type Payment = {
  readonly token0: Address
  readonly token1: Address
  /** Added to the amount that the pool requests, in atomic units; negative underpays. Default 0. */
  readonly extra0?: bigint
  readonly extra1?: bigint
}

/** Encodes the `data` argument of pool.mint, pool.swap or pool.flash for a payer. */
export function paymentData({ token0, token1, extra0 = 0n, extra1 = 0n }: Payment): Hex {
  return encodeAbiParameters(
    [{ type: 'address' }, { type: 'address' }, { type: 'int256' }, { type: 'int256' }],
    [token0, token1, extra0, extra1],
  )
}

/** Encodes a call that a payer forwards to `target`. */
export function forwardData(target: Address, data: Hex): Hex {
  return encodeFunctionData({ abi: payerAbi, functionName: 'forward', args: [target, data] })
}
