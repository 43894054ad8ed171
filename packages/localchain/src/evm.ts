import { concatHex, type Hex, numberToHex, size } from 'viem'

/** Opcodes of the package's two hand-made contracts, by their name in the Yellow Paper. */
const opcodes = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  EQ: 0x14,
  SGT: 0x13,
  ISZERO: 0x15,
  SHR: 0x1c,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODECOPY: 0x39,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  POP: 0x50,
  MSTORE: 0x52,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  JUMPDEST: 0x5b,
  DUP1: 0x80,
  LOG3: 0xa3,
  CALL: 0xf1,
  RETURN: 0xf3,
  REVERT: 0xfd,
} as const

export type Mnemonic = keyof typeof opcodes

/**
 * One item of an assembly listing. It is an opcode, a constant to push (with the shortest PUSH), a
 * jump target, or the pushed offset of a target.
 */
export type Instruction =
  | Mnemonic
  | bigint
  | number
  | { readonly at: string }
  | { readonly offsetOf: string }

const offsetBytes = 2

function constant(value: bigint): Hex {
  const digits = numberToHex(value)
  const bytes = numberToHex(value, { size: Math.ceil((digits.length - 2) / 2) })
  return concatHex([numberToHex(0x5f + size(bytes), { size: 1 }), bytes])
}

/**
 * Assembles a listing into EVM bytecode.
 *
 * @param listing instructions in order; labels are local to the listing, offsets are two bytes, and
 * the label `end` is the byte after the last instruction
 * @returns bytecode, 0x-prefixed
 * @throws Error if a label is used and never defined
 */
export function assemble(listing: readonly Instruction[]): Hex {
  const labels = new Map<string, number>()
  const parts: (Hex | { readonly offsetOf: string })[] = []
  let position = 0
  for (const item of listing) {
    if (typeof item === 'object' && 'offsetOf' in item) {
      parts.push(item)
      position += 1 + offsetBytes
      continue
    }
    if (typeof item === 'object') labels.set(item.at, position)
    const bytes =
      typeof item === 'object'
        ? numberToHex(opcodes.JUMPDEST, { size: 1 })
        : typeof item === 'string'
          ? numberToHex(opcodes[item], { size: 1 })
          : constant(BigInt(item))
    parts.push(bytes)
    position += size(bytes)
  }
  labels.set('end', position)
  return concatHex(
    parts.map((part) => {
      if (typeof part === 'string') return part
      const offset = labels.get(part.offsetOf)
      if (offset === undefined) throw new Error(`no label ${part.offsetOf}`)
      return concatHex([
        numberToHex(0x5f + offsetBytes, { size: 1 }),
        numberToHex(offset, { size: offsetBytes }),
      ])
    }),
  )
}

/**
 * Init code that runs a prologue (its storage writes and logs), then returns `runtime` as the code
 * of the new contract.
 */
export function initCode(prologue: readonly Instruction[], runtime: Hex): Hex {
  const head = assemble([
    ...prologue,
    ...[size(runtime), 'DUP1' as const, { offsetOf: 'end' }, 0],
    ...(['CODECOPY', 0, 'RETURN'] as const),
  ])
  return concatHex([head, runtime])
}
