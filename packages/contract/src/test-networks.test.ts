import { expect, test } from 'vitest'
import { isTestNetwork, simulatedMarketOf, testNetworksIn } from './test-networks.ts'

test('local chains and public test networks are distinguished from main networks', () => {
  const tested = [31337, 1337, 11155111, 17000, 560048, 84532, 421614, 11155420, 80002, 97]
  const more = [43113, 10200, 59141, 534351, 300]
  expect([...tested, ...more].filter((chainId) => !isTestNetwork(chainId))).toEqual([])
  const main = [1, 10, 56, 100, 137, 324, 8453, 42161, 43114, 59144, 534352, 999, 1187947933]
  expect(main.filter(isTestNetwork)).toEqual([])
})

test('a record is simulated if it names a test network as a chain, an asset or an account', () => {
  const of = (value: unknown) => testNetworksIn(JSON.stringify(value))
  expect(of({ pair: { chainId: 31337 }, blocks: [{ chainId: 11155111 }] })).toEqual([
    31337, 11155111,
  ])
  expect(of({ facts: { chainId: '84532' } })).toEqual([84532])
  expect(of({ asset: 'eip155:31337/slip44:60' })).toEqual([31337])
  expect(of({ container: 'eip155:31337:0x00' })).toEqual([31337])
  expect(of({ subject: { pair: '31337|0x00|0x01' } })).toEqual([31337])
  expect(of({ pair: '1|0x00|0x01' })).toEqual([])
  expect(of({ chainId: 1, blockNumber: 31337, asset: 'eip155:10/slip44:60' })).toEqual([])
  // Words of a person name no evidence.
  expect(of({ reason: 'like "chainId":31337' })).toEqual([])
})

test('the words name the network', () => {
  const wordsOf = (chainIds: number[]) => simulatedMarketOf(chainIds)?.words
  expect(wordsOf([31337])).toBe('Local test chain: simulated market')
  expect(wordsOf([1, 11155111])).toBe('Test network Sepolia: simulated market')
  expect(wordsOf([31337, 11155111])).toBe(
    'Local test chain, test network Sepolia: simulated market',
  )
  expect(simulatedMarketOf([1])).toBeNull()
})
