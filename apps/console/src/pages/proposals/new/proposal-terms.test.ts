import { describe, expect, it } from 'vitest'
import { effectsOf } from '../call-effects.ts'
import { checksummed, encodeCall, hasValidChecksum } from './encode-calls.ts'
import {
  isUnreadSafeCall,
  proposalInput,
  readAddress,
  readTerms,
  type SafeState,
  type Terms,
  titleOf,
} from './proposal-terms.ts'

// Checksummed addresses of EIP-55.
const [safe, first, second, other] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
] as const
const token = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const asset = { symbol: 'WETH', decimals: 18, address: token }
const state: SafeState = {
  chainId: 1,
  safe,
  owners: [first, second],
  threshold: 2,
  asset,
  balance: 5n * 10n ** 18n,
}
const terms: Terms = {
  kind: 'TRANSFER',
  asset: token,
  amount: '1.5',
  address: other,
  change: 'ADD',
  owner: '',
  threshold: '2',
  data: '',
}
const word = (hex: string) => hex.replace(/^0x/, '').toLowerCase().padStart(64, '0')
const sentinel = word('1')

const dataOf = (more: Partial<Terms>, at = state) => {
  const [[described] = []] = readTerms({ ...terms, ...more }, at).packets ?? []
  if (!described) throw new Error('The terms are incomplete.')
  return described.call.data
}
const faultsOf = (more: Partial<Terms>, at = state) => readTerms({ ...terms, ...more }, at).faults

describe('addresses', () => {
  it.each([safe, first, second, other])('writes %s with its checksum', (address) => {
    expect(checksummed(address.toLowerCase())).toBe(address)
    expect(hasValidChecksum(address)).toBe(true)
  })

  it('rejects a wrong checksum and another chain', () => {
    const wrong = other.replace('D1', 'd1')
    expect(hasValidChecksum(wrong)).toBe(false)
    expect(readAddress(wrong, 1).fault).toBe('The checksum is wrong. Copy the address again.')
    expect(readAddress(`base:${other}`, 1).fault).toMatch(/address of this chain/)
    expect(readAddress(` eth:${other.toLowerCase()} `, 1)).toEqual({ address: other, fault: null })
    expect(readAddress('', 1)).toEqual({ address: null, fault: '' })
  })
})

describe('a transfer', () => {
  it('encodes the amount in atoms', () => {
    expect(dataOf({})).toBe(`0xa9059cbb${word(other)}${word((15n * 10n ** 17n).toString(16))}`)
  })

  it('sends the coin as the value of the call', () => {
    const [[described] = []] =
      readTerms({ ...terms, asset: 'native', amount: '0.25' }, state).packets ?? []
    expect(described?.call).toEqual({ to: other, value: '250000000000000000', data: '0x' })
  })

  it('reads the sentence of the proposal page', () => {
    const [[described] = []] = readTerms(terms, state).packets ?? []
    const [effect] = effectsOf(described ? [described.decoded] : [], {
      safe,
      control: { owners: state.owners, threshold: 2 },
      assetOf: () => asset,
    })
    expect(effect?.text).toBe('Send 1.5 WETH.')
    expect(effect?.addresses).toContainEqual({ label: 'Recipient', address: other })
  })

  it('rejects more than the Safe holds, zero, and a payment to itself', () => {
    expect(faultsOf({ amount: '5.000000000000000001' })).toEqual({
      amount: 'The Safe holds 5 WETH.',
    })
    expect(faultsOf({ amount: '5' })).toBeNull()
    expect(faultsOf({ amount: '0' })).toEqual({ amount: 'Enter an amount above zero.' })
    expect(faultsOf({ amount: 'ten', address: safe })).toEqual({
      amount: 'Enter a number, such as 1,000.5.',
      address: 'The Safe cannot pay itself.',
    })
    expect(faultsOf({ amount: '', address: '' })).toEqual({ amount: '', address: '' })
  })

  it('rejects the zero address and the contract of the token', () => {
    expect(faultsOf({ address: `0x${'0'.repeat(40)}` })).toEqual({
      address: 'The zero address cannot return a payment.',
    })
    expect(faultsOf({ address: token })).toEqual({
      address: 'This is the contract of the token, not a recipient.',
    })
    expect(faultsOf({ address: token, asset: 'native' })).toBeNull()
  })

  it('expects exactly its own change of the balance', () => {
    const read = readTerms(terms, state)
    if (read.faults !== null) throw new Error('The terms are incomplete.')
    const review = { title: 'Pay', summary: '', required: 1, lastDay: '2026-01-12' }
    expect(
      proposalInput({ kind: terms.kind, state, vaultId: 'vault_1' }, read, review),
    ).toMatchObject({
      action: { actionType: 'TREASURY_TRANSFER', calls: [{ to: checksummed(token), value: '0' }] },
      review: { required: 1, expiresAt: '2026-01-12T23:59:59Z' },
      expectedEffects: [
        {
          asset: token,
          minimumDelta: '-1500000000000000000',
          maximumDelta: '-1500000000000000000',
        },
      ],
    })
  })
})

describe('an approval', () => {
  it('can be more than the balance, or zero to remove it', () => {
    expect(dataOf({ kind: 'APPROVE', amount: '100' }).slice(0, 10)).toBe('0x095ea7b3')
    expect(dataOf({ kind: 'APPROVE', amount: '0' })).toBe(
      `0x095ea7b3${word(other)}${'0'.repeat(64)}`,
    )
  })
})

describe('an owner change', () => {
  const change = (more: Partial<Terms>) => ({ kind: 'OWNER_CHANGE', ...more }) as const

  it('names the owner before the removed one, in the order of the Safe', () => {
    expect(dataOf(change({ change: 'REMOVE', owner: first, threshold: '1' }))).toBe(
      `0xf8dc5dd9${sentinel}${word(first)}${word('1')}`,
    )
    expect(dataOf(change({ change: 'REMOVE', owner: second, threshold: '1' }))).toBe(
      `0xf8dc5dd9${word(first)}${word(second)}${word('1')}`,
    )
    expect(dataOf(change({ change: 'REPLACE', owner: second, address: other }))).toBe(
      `0xe318b52b${word(first)}${word(second)}${word(other)}`,
    )
  })

  it('adds an owner and changes the threshold', () => {
    expect(dataOf(change({ change: 'ADD', threshold: '3' }))).toBe(
      `0x0d582f13${word(other)}${word('3')}`,
    )
    expect(dataOf(change({ change: 'THRESHOLD', threshold: '1' }))).toBe(`0x694e80c3${word('1')}`)
  })

  it.each(['0', '1'])('rejects the reserved address %s as an owner', (digit) => {
    const address = `0x${digit.padStart(40, '0')}`
    const fault = { address: 'A Safe rejects this address as an owner.' }
    expect(faultsOf(change({ change: 'ADD', address }))).toEqual(fault)
    expect(faultsOf(change({ change: 'REPLACE', owner: first, address }))).toEqual(fault)
  })

  it.each(['0x1', '1e0', '1.0', '+1'])('rejects the threshold %s', (threshold) => {
    expect(faultsOf(change({ change: 'THRESHOLD', threshold }))).toEqual({
      threshold: 'Enter a number from 1 to 2.',
    })
  })

  it('rejects a threshold that the owners cannot reach, and known owners', () => {
    expect(faultsOf(change({ change: 'REMOVE', owner: first, threshold: '2' }))).toEqual({
      threshold: 'Enter a number from 1 to 1.',
    })
    expect(faultsOf(change({ change: 'ADD', address: second, threshold: '4' }))).toEqual({
      address: 'This account is an owner already.',
      threshold: 'Enter a number from 1 to 3.',
    })
    expect(faultsOf(change({ change: 'THRESHOLD', threshold: '2' }))).toEqual({
      threshold: 'The Safe requires 2 already.',
    })
    const alone = { ...state, owners: [first], threshold: 1 }
    expect(faultsOf(change({ change: 'REMOVE', owner: first, threshold: '1' }), alone)).toEqual({
      owner: 'A Safe needs at least one owner.',
    })
  })
})

describe('a contract call', () => {
  it('takes call data with a function selector only', () => {
    const call = { kind: 'CUSTOM', amount: '' } as const
    expect(dataOf({ ...call, data: ' 0xA9059CBB ' })).toBe('0xa9059cbb')
    for (const data of ['0x', '0xa9059c', '0xa9059cbbf', 'transfer'])
      expect(faultsOf({ ...call, data })).toEqual({
        data: 'Paste call data: 0x and an even number of hex digits.',
      })
  })
})

it('warns of pasted call data for the Safe itself', () => {
  const isWarned = (address: string) => {
    const call = { ...terms, kind: 'CUSTOM', amount: '', address, data: '0x610b5925' } as const
    const [[described] = []] = readTerms(call, state).packets ?? []
    return described !== undefined && isUnreadSafeCall(described, safe)
  }
  expect([isWarned(safe), isWarned(other)]).toEqual([true, false])
})

it('composes a title from the terms', () => {
  expect(titleOf(terms, asset, 'Auditor')).toBe('Send 1.5 WETH to Auditor')
  expect(titleOf({ ...terms, kind: 'OWNER_CHANGE', change: 'REPLACE' }, asset, null)).toBe(
    'Replace an owner',
  )
})

it('refuses a number of arguments that the function does not take', () => {
  expect(() => encodeCall(safe, 'changeThreshold(uint256 threshold)', [])).toThrow(
    'changeThreshold takes 1 arguments.',
  )
})
