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
import { artifact } from './artifacts.ts'
import type { Localchain } from './localchain.ts'

/** Contracts that free tokens over time, in their authors' own builds: OpenZeppelin's wallet and streams of Sablier. */

const lockupAbi = parseAbi([
  'function cancel(uint256 streamId)',
  'function withdrawMax(uint256 streamId, address to) returns (uint128)',
])
const linearAbi = parseAbi([
  'struct Linear { uint40 start; uint40 cliff; uint40 end; }',
  'struct Broker { address account; uint256 fee; }',
  'struct LinearTerms { address sender; address recipient; uint128 totalAmount; address asset; bool cancelable; bool transferable; Linear timestamps; Broker broker; }',
  'function createWithTimestamps(LinearTerms params) returns (uint256)',
])
const tranchedAbi = parseAbi([
  'struct Broker { address account; uint256 fee; }',
  'struct Tranche { uint128 amount; uint40 timestamp; }',
  'struct TranchedTerms { address sender; address recipient; uint128 totalAmount; address asset; bool cancelable; bool transferable; uint40 startTime; Tranche[] tranches; Broker broker; }',
  'function createWithTimestamps(TranchedTerms params) returns (uint256)',
])

/** Deploys a wallet that frees what it holds evenly, as OpenZeppelin built it. @param start unix seconds */
export function deployVestingWallet(
  chain: Pick<Localchain, 'deploy'>,
  terms: { readonly beneficiary: Address; readonly start: number; readonly duration: number },
): Promise<Address> {
  const encoded = encodeAbiParameters(parseAbiParameters('address, uint64, uint64'), [
    ...([terms.beneficiary, BigInt(terms.start), BigInt(terms.duration)] as const),
  ])
  return chain.deploy(concatHex([artifact('VestingWallet').bytecode, encoded]))
}

/** Streams of Sablier V2 Core on a chain, of one funder. Ids count from one in the order of their making. */
export interface Lockups {
  readonly linear: Address
  readonly tranched: Address
  readonly streamLinear: (
    token: Address,
    amount: bigint,
    times: { readonly start: number; readonly cliff: number; readonly end: number },
  ) => Promise<void>
  readonly streamTranches: (
    token: Address,
    start: number,
    tranches: readonly { readonly amount: bigint; readonly timestamp: number }[],
  ) => Promise<void>
  readonly cancel: (contract: Address, id: bigint) => Promise<void>
  readonly withdraw: (contract: Address, id: bigint, recipient: Address) => Promise<void>
}

/** @param recipient of every stream, who can withdraw */
export async function deployLockups(
  chain: Pick<Localchain, 'deploy' | 'send' | 'accounts'>,
  recipient: Address,
): Promise<Lockups> {
  const funder = chain.accounts[0]!.address
  const admins = encodeAbiParameters(parseAbiParameters('address, address'), [funder, zeroAddress])
  const linear = await chain.deploy(concatHex([artifact('SablierV2LockupLinear').bytecode, admins]))
  const max = encodeAbiParameters(parseAbiParameters('address, address, uint256'), [
    ...([funder, zeroAddress, 300n] as const),
  ])
  const tranched = await chain.deploy(
    concatHex([artifact('SablierV2LockupTranched').bytecode, max]),
  )
  const call = (from: Address, to: Address, data: Hex) => chain.send({ from, to, data })
  const create = async (token: Address, to: Address, amount: bigint, data: Hex) => {
    const args = [to, amount] as const
    await call(funder, token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }))
    await call(funder, to, data)
  }
  const common = { sender: funder, recipient, cancelable: true, transferable: true } as const
  const broker = { account: zeroAddress, fee: 0n }
  return {
    linear,
    tranched,
    streamLinear: (asset, totalAmount, timestamps) =>
      create(
        asset,
        linear,
        totalAmount,
        encodeFunctionData({
          abi: linearAbi,
          functionName: 'createWithTimestamps',
          args: [{ ...common, totalAmount, asset, timestamps, broker }],
        }),
      ),
    streamTranches: (asset, startTime, tranches) => {
      const totalAmount = tranches.reduce((sum, { amount }) => sum + amount, 0n)
      const terms = { ...common, totalAmount, asset, startTime, tranches: [...tranches], broker }
      return create(
        asset,
        tranched,
        totalAmount,
        encodeFunctionData({
          abi: tranchedAbi,
          functionName: 'createWithTimestamps',
          args: [terms],
        }),
      )
    },
    cancel: async (contract, id) => {
      const data = encodeFunctionData({ abi: lockupAbi, functionName: 'cancel', args: [id] })
      await call(funder, contract, data)
    },
    withdraw: async (contract, id, to) => {
      const args = [id, to] as const
      const data = encodeFunctionData({ abi: lockupAbi, functionName: 'withdrawMax', args })
      await call(recipient, contract, data)
    },
  }
}
