import { contract } from '@liquidity-os/contract'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { readCall, tokensOfPath, valueAt } from './decode-call.ts'
import type { Release } from './release.ts'
import { resolveSender, unfoldCall } from './unfold-call.ts'

const release = { manifest: { adapters: contract.adapters } } as unknown as Release
const adapterOf = (id: string) => contract.adapters.find(({ adapterId }) => adapterId === id)!
const addressOn = (id: string, chainId: number) =>
  adapterOf(id).contracts.find((one) => one.chainId === chainId)!.address
const [tokenA, tokenB, safe] = ['a', 'b', '5'].map((digit) => `0x${digit.repeat(40)}`) as [
  Address,
  Address,
  Address,
]
const positions = parseAbi([
  'function multicall(bytes[] data)',
  'function burn(uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
])
const burn = encodeFunctionData({ abi: positions, functionName: 'burn', args: [7n] })
const multicall = (...data: Hex[]) =>
  encodeFunctionData({ abi: positions, functionName: 'multicall', args: [data] })

function nested(data: Hex, id = 'uniswap-v3-positions') {
  const read = readCall(release, 8453, { to: addressOn(id, 8453), data }, [])
  return unfoldCall(read!).map(({ path, problem }) => problem ?? path)
}

describe('calls inside a multicall', () => {
  it('are read to depth 2', () => {
    expect(nested(multicall(burn, multicall(burn)))).toEqual([
      'multicall.data.0',
      'multicall.data.1',
      'multicall.data.1.data.0',
    ])
    expect(nested(multicall(multicall(multicall(burn))))).toEqual([
      'multicall.data.0',
      'multicall.data.0.data.0',
      'nested deeper than 2 calls',
    ])
  })

  it('are refused if the adapter has no such function', () => {
    const hidden = encodeFunctionData({
      abi: positions,
      functionName: 'safeTransferFrom',
      args: [safe, tokenA, 7n],
    })
    expect(nested(multicall(burn, hidden))).toEqual([
      'multicall.data.0',
      '0x42842e0e is not a function of uniswap-v3-positions',
    ])
    expect(nested(multicall('0x'))).toEqual(['0x is not a function of uniswap-v3-positions'])
  })

  it('are refused above 16', () => {
    expect(nested(multicall(...Array<Hex>(16).fill(burn)))).toHaveLength(16)
    expect(nested(multicall(...Array<Hex>(17).fill(burn))).at(-1)).toBe(
      '17 nested calls, at most 16 are read',
    )
  })
})

const router = parseAbi(['function execute(bytes commands, bytes[] inputs, uint256 deadline)'])
const execute = (commands: Hex, inputs: Hex[]) =>
  encodeFunctionData({ abi: router, functionName: 'execute', args: [commands, inputs, 1n] })
const path = encodePacked(['address', 'uint24', 'address'], [tokenA, 3000, tokenB])
const swap = (recipient: Address) =>
  encodeAbiParameters(parseAbiParameters('address, uint256, uint256, bytes, bool'), [
    ...([recipient, 10n, 9n, path, true] as const),
  ])
const router2 = 'uniswap-universal-router'

describe('commands of the Universal Router', () => {
  it('are read by their inputs', () => {
    const read = readCall(
      release,
      8453,
      { to: addressOn(router2, 8453), data: execute('0x00', [swap(safe)]) },
      [],
    )!
    const [command] = unfoldCall(read)
    const { amountsIn, amountsOut } = command!.read!.declared.roles
    expect([
      command?.path,
      valueAt(command!.read!.args, amountsIn?.[0]?.token),
      valueAt(command!.read!.args, amountsOut?.[0]?.token),
    ]).toEqual(['execute.commands.0', ...tokensOfPath(path)!])
  })

  it.each([
    '0x02',
    '0x03',
    '0x05',
    '0x06',
    '0x0a',
    '0x0d',
    '0x10',
    '0x21',
    '0x40',
    '0x80',
  ] as const)('%s is not readable', (command) => {
    expect(
      nested(execute(concatHex(['0x00', command]), [swap(safe), swap(safe)]), router2),
    ).toEqual(['execute.commands.0', `command ${command} is not readable`])
  })

  it('are refused with other numbers of inputs, and with trailing bytes', () => {
    expect(nested(execute('0x0000', [swap(safe)]), router2)).toEqual(['2 commands with 1 inputs'])
    expect(nested(execute('0x00', [concatHex([swap(safe), '0x00']) as Hex]), router2)).toEqual([
      'command 0x00 is not readable',
    ])
  })

  it('pay the caller for a recipient of 1, and no other contract', () => {
    const to = addressOn(router2, 8453)
    const recipientOf = (alias: Address) => {
      const read = readCall(release, 8453, { to, data: execute('0x00', [swap(alias)]) }, [])!
      return resolveSender(unfoldCall(read)[0]!.read!, safe).args.recipient
    }
    expect(recipientOf('0x0000000000000000000000000000000000000001')).toBe(safe)
    const itself = '0x0000000000000000000000000000000000000002'
    expect(recipientOf(itself)).toBe(itself)
  })
})

it('reads no token from a path with surplus bytes', () => {
  expect(tokensOfPath(path)).toHaveLength(2)
  expect(tokensOfPath(concatHex([path, '0x00']))).toBeNull()
  expect(tokensOfPath(tokenA)).toBeNull()
})
