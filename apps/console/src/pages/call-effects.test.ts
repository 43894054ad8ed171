import { describe, expect, it } from 'vitest'
import { type DecodedCall, effectOf, inFours } from './call-effects.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const other = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const control = { owners: ['0x1', '0x2', '0x3'], threshold: 2 }
const assetOf = (key: string) =>
  key === token
    ? { symbol: 'WETH', decimals: 18, address: token }
    : key === 'native'
      ? { symbol: 'ETH', decimals: 18, address: '' }
      : null

const call = (functionName: string | null, given: Record<string, string>): DecodedCall => ({
  to: token,
  value: '0',
  selector: '0x12345678',
  functionName,
  readBy: 'STANDARD',
  words: 'Words of the service.',
  data: '0x12345678',
  arguments: Object.entries(given).map(([name, value]) => ({ name, value })),
})

describe('effects of calls', () => {
  it.each([
    [
      'addOwnerWithThreshold',
      { owner: other, threshold: '2' },
      'Add an owner to the Safe. Required signatures: 2 of 3 becomes 2 of 4.',
    ],
    [
      'removeOwner',
      { prevOwner: other, owner: other, threshold: '1' },
      'Remove an owner from the Safe. Required signatures: 2 of 3 becomes 1 of 2.',
    ],
    [
      'changeThreshold',
      { _threshold: '2' },
      'Change the required signatures. Required signatures stay at 2 of 3.',
    ],
    ['transfer', { to: other, value: '1500000000000000000' }, 'Send 1.5 WETH.'],
    ['approve', { spender: other, amount: '0' }, 'Revoke an allowance.'],
    [
      'approve',
      { spender: other, amount: '250000000000000000' },
      'Allow a contract to spend up to 0.25 WETH.',
    ],
    [
      'approve',
      { spender: other, amount: `${2n ** 256n - 1n}` },
      'Allow a contract to spend any amount of WETH.',
    ],
    ['setAgreement', {}, 'Words of the service.'],
  ])('describes %s %j', (name, given, text) => {
    expect(effectOf(call(name, given), control, assetOf)).toMatchObject({ text, isUnknown: false })
  })

  it('lists the addresses that a reader compares', () => {
    expect(
      effectOf(call('transfer', { to: other, amount: '1' }), control, assetOf).addresses,
    ).toEqual([
      { label: 'Recipient', address: other },
      { label: 'Token', address: token },
    ])
  })

  it('states amounts of unknown tokens in smallest units', () => {
    const unknown = { ...call('transfer', { to: other, amount: '12345' }), to: other }
    expect(effectOf(unknown, control, assetOf).text).toBe(
      'Send 12,345 smallest units of the token.',
    )
  })

  it('describes a payment of the native coin', () => {
    const coin = { ...call(null, {}), readBy: 'COIN', value: '3000000000000000000', to: other }
    expect(effectOf(coin, control, assetOf)).toMatchObject({
      text: 'Send 3 ETH.',
      addresses: [{ label: 'Recipient', address: other }],
    })
  })

  it('adds the native coin of a known call', () => {
    const paid = { ...call('changeThreshold', { _threshold: '2' }), value: '1000000000000000000' }
    expect(effectOf(paid, control, assetOf).text).toContain('It also sends 1 ETH to the target.')
  })

  it('shows amounts of other calls in units, or marks them as smallest units', () => {
    const words = 'Swap 1000000000000000000 of a token.'
    const swap = (given: Record<string, string>) => ({ ...call('swap', given), words })
    expect(effectOf(swap({ tokenIn: token }), control, assetOf).text).toBe(
      'Swap 1 WETH of a token.',
    )
    expect(effectOf(swap({ tokenIn: other }), control, assetOf).text).toBe(
      'Swap 1,000,000,000,000,000,000 smallest units of a token.',
    )
  })

  it('uses the sentence of the service if an argument has another name', () => {
    const renamed = call('transfer', { target: other, units: '5' })
    expect(effectOf(renamed, control, assetOf).text).toBe('Words of the service.')
  })

  it('marks a call without decoder as unknown, even if its name looks familiar', () => {
    const unread = { ...call('transfer', { to: other, amount: '1' }), readBy: null }
    expect(effectOf(unread, control, assetOf)).toMatchObject({ isUnknown: true })
  })
})

it('groups an address in fours', () => {
  expect(inFours(other)).toBe('15d3 4AAf 5426 7DB7 D7c3 6783 9AAf 71A0 0a2C 6A65')
})
