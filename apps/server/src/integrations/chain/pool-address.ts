import {
  type Address,
  encodeAbiParameters,
  encodePacked,
  getCreate2Address,
  type Hex,
  parseAbiParameters,
} from 'viem'
import { keccak256 } from '../../keccak256.ts'
import knownContracts from './known-contracts.json' with { type: 'json' }

/** Keccak-256 of the init code that Uniswap's factories deploy, the same on all their chains. */
const initCodeHashes = knownContracts.initCodeHashes as Readonly<
  Record<keyof typeof knownContracts.initCodeHashes, Hex>
>

/** Two tokens in a pool's order: ascending by address. */
export function sortTokens(tokenA: Address, tokenB: Address): [token0: Address, token1: Address] {
  return BigInt(tokenA) < BigInt(tokenB) ? [tokenA, tokenB] : [tokenB, tokenA]
}

/**
 * CREATE2 address of the v3 pool of a factory, two tokens and a fee.
 *
 * @param feePips hundredths of a basis point
 * @see EIP-1014
 */
export function v3PoolAddress(
  factory: Address,
  tokenA: Address,
  tokenB: Address,
  feePips: number,
): Address {
  const parameters = parseAbiParameters('address, address, uint24')
  const salt = keccak256(encodeAbiParameters(parameters, [...sortTokens(tokenA, tokenB), feePips]))
  return getCreate2Address({ from: factory, salt, bytecodeHash: initCodeHashes.UniswapV3Pool })
}

/** CREATE2 address of the v2 pair of a factory and two tokens. */
export function v2PairAddress(factory: Address, tokenA: Address, tokenB: Address): Address {
  const salt = keccak256(encodePacked(['address', 'address'], sortTokens(tokenA, tokenB)))
  return getCreate2Address({ from: factory, salt, bytecodeHash: initCodeHashes.UniswapV2Pair })
}
