import { type Address, type Hex, toFunctionSelector } from 'viem'
import { assembleEvm, type Item } from './assembler.ts'

const selector = (signature: string) => BigInt(toFunctionSelector(signature))

/**
 * The cheapest token that a pool can trade: one balance per address, so the bytecode is not
 * charged for checks and events of a token.
 */
export function tokenCode(): Hex {
  const word: Item[] = [0, 'MSTORE', 32, 0, 'RETURN']
  return assembleEvm([
    ...[0, 'CALLDATALOAD', 224, 'SHR', selector('transfer(address,uint256)')],
    ...(['EQ', '@transfer', 'JUMPI', 4, 'CALLDATALOAD', 'SLOAD', ...word] as const),
    // balance[to] += amount
    ...([':transfer', 36, 'CALLDATALOAD', 'DUP1', 4, 'CALLDATALOAD', 'SLOAD', 'ADD'] as const),
    ...([4, 'CALLDATALOAD', 'SSTORE'] as const),
    // balance[caller] -= amount
    ...(['CALLER', 'SLOAD', 'SUB', 'CALLER', 'SSTORE', 1, ...word] as const),
  ] as Item[])
}

/** Operations of a runner script; each is one word before its arguments. */
export const OPERATIONS = { swap: 0n, mint: 1n, burn: 2n }

/**
 * A contract that carries out a script of swaps, mints and burns on one pool within one call and pays in
 * the callbacks. Call data: for each operation four words, the kind and three arguments:
 *
 *     swap  amountSpecified, sqrtPriceLimitX96, zeroForOne     mint and burn  lower, upper, liquidity
 *
 * after a first word that is zero, so that it is no selector. It returns the two words each operation answers.
 */
export function runnerCode(pool: Address, token0: Address, token1: Address): Hex {
  const target = BigInt(pool)
  return assembleEvm([
    ...[0, 'CALLDATALOAD', 224, 'SHR', 'DUP1', selector(SWAP_CALLBACK), 'EQ', '@callback', 'JUMPI'],
    ...['DUP1', selector(MINT_CALLBACK), 'EQ', '@callback', 'JUMPI', 'POP'],
    // The stack holds the script position and the position of the next result.
    ...[RESULTS, 32],
    ...[':next', 'DUP1', 'CALLDATASIZE', 'SWAP1', 'LT', 'ISZERO', '@done', 'JUMPI'],
    ...['DUP1', 'CALLDATALOAD', 'DUP1', 'ISZERO', '@swap', 'JUMPI', 1, 'EQ', '@mint', 'JUMPI'],
    ...argument(32, 4),
    ...argument(64, 36),
    ...argument(96, 68),
    ...callPool(target, 'burn(int24,int24,uint128)', 100n),
    ':swap',
    'POP',
    ...['ADDRESS', 4, 'MSTORE'],
    ...argument(96, 36),
    ...argument(32, 68),
    ...argument(64, 100),
    ...[160, 132, 'MSTORE', 0, 164, 'MSTORE'],
    ...callPool(target, 'swap(address,bool,int256,uint160,bytes)', 196n),
    ':mint',
    ...['ADDRESS', 4, 'MSTORE'],
    ...argument(32, 36),
    ...argument(64, 68),
    ...argument(96, 100),
    ...[160, 132, 'MSTORE', 0, 164, 'MSTORE'],
    ...callPool(target, 'mint(address,int24,int24,uint128,bytes)', 196n),
    ...[':done', 'POP', RESULTS, 'DUP1', 'DUP3', 'SUB', 'SWAP1', 'RETURN'],
    ...[':failed', 'RETURNDATASIZE', 0, 0, 'RETURNDATACOPY', 'RETURNDATASIZE', 0, 'REVERT'],
    ':callback',
    ...payIf(token0, 4),
    ...payIf(token1, 36),
    'STOP',
  ] as Item[])
}

const SWAP_CALLBACK = 'uniswapV3SwapCallback(int256,int256,bytes)'
const MINT_CALLBACK = 'uniswapV3MintCallback(uint256,uint256,bytes)'
/** Memory offset of the results, beyond the area in which a call is built. */
const RESULTS = 512

/** Copies a word of the current operation to memory. */
function argument(offset: number, to: number): Item[] {
  return ['DUP1', offset, 'ADD', 'CALLDATALOAD', to, 'MSTORE']
}

/** Calls the pool with the data in memory, stores two words of the result and continues. */
function callPool(pool: bigint, signature: string, size: bigint): Item[] {
  return [
    // Writes the selector into the four bytes before the arguments and leaves the arguments
    // unchanged.
    ...([4, 'MLOAD', selector(signature) << 224n, 0, 'MSTORE', 4, 'MSTORE'] as Item[]),
    ...([64, 'DUP3', size, 0, 0, pool, 'GAS', 'CALL', 'ISZERO', '@failed', 'JUMPI'] as Item[]),
    ...([128, 'ADD', 'SWAP1', 64, 'ADD', 'SWAP1', '@next', 'JUMP'] as Item[]),
  ]
}

/** Sends a token to the pool if the argument at `at` is above zero. */
function payIf(token: Address, at: number): Item[] {
  const done = `paid${at}`
  return [
    ...([0, at, 'CALLDATALOAD', 'SGT', 'ISZERO', `@${done}`, 'JUMPI'] as Item[]),
    ...([selector('transfer(address,uint256)') << 224n, 0, 'MSTORE'] as Item[]),
    ...(['CALLER', 4, 'MSTORE', at, 'CALLDATALOAD', 36, 'MSTORE'] as Item[]),
    ...([32, 0, 68, 0, 0, BigInt(token), 'GAS', 'CALL', 'POP', `:${done}`] as Item[]),
  ]
}
