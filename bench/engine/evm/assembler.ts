import type { Hex } from 'viem'

/** Opcodes of the two contracts of this benchmark, as in the Yellow Paper. */
const opcodes = {
  STOP: 0x00,
  ADD: 0x01,
  SUB: 0x03,
  LT: 0x10,
  SGT: 0x13,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  SHR: 0x1c,
  ADDRESS: 0x30,
  CALLER: 0x33,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  SWAP1: 0x90,
  CALL: 0xf1,
  RETURN: 0xf3,
  REVERT: 0xfd,
} as const

/** An opcode, a constant to push, a jump target (`:name`) or the push of one (`@name`). */
export type Item = keyof typeof opcodes | bigint | number | `:${string}` | `@${string}`

/** Runtime bytecode of a listing; labels take two bytes. */
export function assembleEvm(listing: readonly Item[]): Hex {
  const labels = new Map<string, number>()
  const parts: string[] = []
  let position = 0
  for (const item of listing) {
    const part = encode(item)
    if (typeof item === 'string' && item.startsWith(':')) labels.set(item.slice(1), position)
    parts.push(part)
    position += part.startsWith('@') ? 3 : part.length / 2
  }
  const code = parts.map((part) => {
    if (!part.startsWith('@')) return part
    const offset = labels.get(part.slice(1))
    if (offset === undefined) throw new Error(`no label ${part}`)
    return `61${offset.toString(16).padStart(4, '0')}`
  })
  return `0x${code.join('')}`
}

function encode(item: Item): string {
  if (typeof item === 'string') {
    if (item.startsWith('@')) return item
    const name = item.startsWith(':') ? 'JUMPDEST' : (item as keyof typeof opcodes)
    return opcodes[name].toString(16).padStart(2, '0')
  }
  const digits = BigInt(item).toString(16)
  const bytes = Math.ceil(digits.length / 2)
  return (0x5f + bytes).toString(16) + digits.padStart(2 * bytes, '0')
}
