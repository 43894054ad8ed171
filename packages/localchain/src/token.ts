import {
  type Address,
  concatHex,
  type Hex,
  hexToBigInt,
  keccak256,
  pad,
  size,
  stringToHex,
  toEventHash,
} from 'viem'
import { artifact } from './artifacts.ts'
import { type Instruction, initCode } from './evm.ts'

/** A token to deploy: its metadata and who holds the whole supply at first. */
export type TokenOptions = {
  /** At most 31 bytes of UTF-8, as is the symbol: both are stored in one slot. */
  readonly name: string
  readonly symbol: string
  /** 0..255, default 18. */
  readonly decimals?: number
  /** Atomic units, default 10^30. */
  readonly supply?: bigint
}

/** Storage layout of OpenZeppelin's ERC20 3.x. */
const slots = { balances: 0n, totalSupply: 2n, name: 3n, symbol: 4n, decimals: 5n }

/** Solidity's encoding of a string below 32 bytes: the bytes from the left, twice the length last. */
function shortString(text: string): bigint {
  const bytes = stringToHex(text)
  if (size(bytes) > 31) throw new Error(`“${text}” is longer than 31 bytes`)
  return hexToBigInt(pad(bytes, { dir: 'right', size: 32 })) + BigInt(size(bytes) * 2)
}

function balanceSlot(holder: Address): bigint {
  return hexToBigInt(keccak256(concatHex([pad(holder), pad('0x00')])))
}

/**
 * Init code of a token with OpenZeppelin's original ERC-20 code and any metadata and supply.
 *
 * OpenZeppelin's own constructor has no supply. So a prologue writes the same storage and the same
 * `Transfer` from the zero address as a minting constructor.
 *
 * @param token metadata and supply
 * @param holder who receives the whole supply
 */
export function tokenInitCode(token: TokenOptions, holder: Address): Hex {
  const { name, symbol, decimals = 18, supply = 10n ** 30n } = token
  const writes: [slot: bigint, value: bigint][] = [
    [balanceSlot(holder), supply],
    [slots.totalSupply, supply],
    [slots.name, shortString(name)],
    [slots.symbol, shortString(symbol)],
    [slots.decimals, BigInt(decimals)],
  ]
  const stores = writes.flatMap(([slot, value]): Instruction[] => [value, slot, 'SSTORE'])
  const minted: Instruction[] = [
    ...([supply, 0, 'MSTORE', BigInt(holder), 0] as const),
    ...([BigInt(toEventHash('Transfer(address,address,uint256)')), 32, 0, 'LOG3'] as const),
  ]
  return initCode([...stores, ...minted], artifact('OpenZeppelinERC20').deployedBytecode)
}
