import { readFileSync } from 'node:fs'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { erc20Abi } from './abis.ts'
import type { Localchain } from './localchain.ts'

interface Build {
  readonly bytecode: Hex
  /** Offsets of the addresses of libraries, in bytes. */
  readonly links?: Readonly<Record<string, readonly number[]>>
}

// npm cannot install these packages without Git: their dependencies name repositories.
const { contracts } = JSON.parse(
  readFileSync(new URL('./vendored/sablier.json', import.meta.url), 'utf8'),
) as {
  readonly contracts: Readonly<
    Record<'SablierLockup' | 'LockupHelpers' | 'LockupMath' | 'SablierComptroller', Build>
  >
}

const abi = parseAbi([
  'struct Timestamps { uint40 start; uint40 end; }',
  'struct Terms { address sender; address recipient; uint128 depositAmount; address token; bool cancelable; bool transferable; Timestamps timestamps; string shape; }',
  'struct UnlockAmounts { uint128 start; uint128 cliff; }',
  'struct Tranche { uint128 amount; uint40 timestamp; }',
  'struct Segment { uint128 amount; uint64 exponent; uint40 timestamp; }',
  'function createWithTimestampsLL(Terms params, UnlockAmounts unlockAmounts, uint40 granularity, uint40 cliffTime) payable returns (uint256)',
  'function createWithTimestampsLT(Terms params, Tranche[] tranches) payable returns (uint256)',
  'function createWithTimestampsLD(Terms params, Segment[] segments) payable returns (uint256)',
  'function cancel(uint256 streamId) payable returns (uint128)',
])

/** A linear stream of Sablier Lockup. */
export interface LinearTerms {
  readonly amount: bigint
  readonly start: number
  readonly end: number
  /** Unix seconds; 0 for none. */
  readonly cliff: number
  readonly unlock: { readonly start: bigint; readonly cliff: bigint }
  /** Seconds of a step. */
  readonly granularity: number
}

interface Part {
  readonly amount: bigint
  readonly timestamp: number
}

/** Sablier Lockup, one contract for all models, with streams of one funder. Ids count from one. */
export interface SablierLockup {
  readonly address: Address
  readonly streamLinear: (token: Address, terms: LinearTerms) => Promise<void>
  readonly streamTranches: (token: Address, start: number, parts: readonly Part[]) => Promise<void>
  /** Segments with exponent 2. */
  readonly streamDynamic: (token: Address, start: number, parts: readonly Part[]) => Promise<void>
  readonly cancel: (id: bigint) => Promise<void>
}

/** @param recipient of every stream */
export async function deploySablierLockup(
  chain: Pick<Localchain, 'deploy' | 'send' | 'accounts'>,
  recipient: Address,
): Promise<SablierLockup> {
  const funder = chain.accounts[0]!.address
  const libraries = {
    LockupHelpers: await chain.deploy(contracts.LockupHelpers.bytecode),
    LockupMath: await chain.deploy(contracts.LockupMath.bytecode),
  }
  const admin = encodeAbiParameters([{ type: 'address' }], [funder])
  const comptroller = await chain.deploy(concatHex([contracts.SablierComptroller.bytecode, admin]))
  // The second address makes images of the streams, which nothing here reads.
  const parties = encodeAbiParameters(parseAbiParameters('address, address'), [
    ...([comptroller, zeroAddress] as const),
  ])
  const code = linked(contracts.SablierLockup, libraries)
  const address = await chain.deploy(concatHex([code, parties]))
  const create = async (token: Address, amount: bigint, data: Hex) => {
    const args = [address, amount] as const
    const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
    await chain.send({ from: funder, to: token, data: approval })
    await chain.send({ from: funder, to: address, data })
  }
  const termsOf = (token: Address, depositAmount: bigint, start: number, end: number) => ({
    sender: funder,
    recipient,
    depositAmount,
    token,
    cancelable: true,
    transferable: true,
    timestamps: { start, end },
    shape: '',
  })
  const sumOf = (parts: readonly Part[]) => parts.reduce((sum, { amount }) => sum + amount, 0n)
  const endOf = (parts: readonly Part[]) => parts.at(-1)!.timestamp
  return {
    address,
    streamLinear: (token, { amount, start, end, cliff, unlock, granularity }) => {
      const args = [termsOf(token, amount, start, end), unlock, granularity, cliff] as const
      const functionName = 'createWithTimestampsLL'
      return create(token, amount, encodeFunctionData({ abi, functionName, args }))
    },
    streamTranches: (token, start, parts) => {
      const terms = termsOf(token, sumOf(parts), start, endOf(parts))
      const args = [terms, [...parts]] as const
      const functionName = 'createWithTimestampsLT'
      return create(token, sumOf(parts), encodeFunctionData({ abi, functionName, args }))
    },
    streamDynamic: (token, start, parts) => {
      const terms = termsOf(token, sumOf(parts), start, endOf(parts))
      const segments = parts.map((part) => ({ ...part, exponent: 2n * 10n ** 18n }))
      const args = [terms, segments] as const
      const functionName = 'createWithTimestampsLD'
      return create(token, sumOf(parts), encodeFunctionData({ abi, functionName, args }))
    },
    cancel: async (id) => {
      const data = encodeFunctionData({ abi, functionName: 'cancel', args: [id] })
      await chain.send({ from: funder, to: address, data })
    },
  }
}

/** Creation code with the addresses of its libraries in place. */
function linked(
  { bytecode, links = {} }: Build,
  libraries: Readonly<Record<string, Address>>,
): Hex {
  const code = Object.entries(links).reduce((text, [name, offsets]) => {
    const library = libraries[name]
    if (!library) throw new Error(`The library ${name} is not deployed.`)
    return offsets.reduce((before, offset) => {
      const at = 2 + 2 * offset
      return before.slice(0, at) + library.slice(2).toLowerCase() + before.slice(at + 40)
    }, text)
  }, bytecode as string)
  return code as Hex
}
