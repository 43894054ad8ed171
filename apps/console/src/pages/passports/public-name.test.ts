import { expect, it } from 'vitest'
import { findNameFault, isPublicName, proposePublicName } from './public-name.ts'

const propose = (organization: string, taken: readonly string[] = []) =>
  proposePublicName(organization, 'WETH/USDC', (name) => taken.includes(name))

it('takes the name of the organization', () => {
  expect(propose('Example DAO')).toBe('example-dao')
  expect(propose(' (Example) & Co. ')).toBe('example-co')
})

it('adds the pair, then a number, if other vaults have the name', () => {
  expect(propose('Example DAO', ['example-dao'])).toBe('example-dao-weth-usdc')
  expect(propose('Example DAO', ['example-dao', 'example-dao-weth-usdc'])).toBe(
    'example-dao-weth-usdc-2',
  )
})

it('stays a valid name if it is cut at 63 characters', () => {
  const long = `${'a'.repeat(62)} dao`
  expect(propose(long)).toBe('a'.repeat(62))
  const extended = propose(long, ['a'.repeat(62)])
  expect(extended).toBe(`${'a'.repeat(53)}-weth-usdc`)
  expect([extended, propose(long)].every(isPublicName)).toBe(true)
})

it('requires 3 to 63 characters without a hyphen at the ends', () => {
  expect(['abc', 'a'.repeat(63), 'a-1'].every(isPublicName)).toBe(true)
  expect(['ab', 'a'.repeat(64), '-ab', 'ab-', 'Abc', 'a b'].some(isPublicName)).toBe(false)
})

it('rejects the public name of the passport of another vault', () => {
  expect(findNameFault('example-dao', null)).toBeNull()
  expect(findNameFault('example-dao', 'Safe Ops')).toBe(
    'This public name belongs to the passport of Safe Ops. Choose another name.',
  )
  expect(findNameFault('ab', null)).toMatch(/^Use 3 to 63/)
})
