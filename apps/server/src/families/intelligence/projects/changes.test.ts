import type { contract } from '@liquidity-os/contract'
import { expect, it } from 'vitest'
import { changesBetween } from './changes.ts'
import { analysisOf, poolOf } from './testing/analysis.ts'

const [one, two] = [
  '0x0000000000000000000000000000000000000001',
  '0x0000000000000000000000000000000000000002',
]
const brief = (changes: readonly contract.ProjectChange[]) =>
  changes.map(({ pointer, kind, deltaPips, material }) => [pointer, kind, deltaPips, material])

it('reports no change between two equal observations', () => {
  const analysis = analysisOf({ pools: [poolOf(one)] })
  expect(changesBetween(analysis, analysis)).toEqual([])
})

it('reports relative changes of amounts, rounded to zero, and marks changes from 1 %', () => {
  const before = analysisOf({
    totalSupply: '3000000',
    pools: [poolOf(one, { reserveQuote: '1000' })],
  })
  const after = analysisOf({
    totalSupply: '2999999',
    pools: [poolOf(one, { reserveQuote: '990' })],
  })
  expect(brief(changesBetween(before, after))).toEqual([
    [`/pools/${one}/reserveQuote`, 'CHANGED', '-10000', true],
    ['/token/totalSupply', 'CHANGED', '0', false],
  ])
  const empty = analysisOf({ totalSupply: '0' })
  expect(brief(changesBetween(empty, analysisOf({ totalSupply: '1' })))).toEqual([
    ['/token/totalSupply', 'CHANGED', null, true],
  ])
})

it('reports every change of control, code and decimals, and marks a name as minor', () => {
  const before = analysisOf({ owner: one, name: 'Old' })
  const after = analysisOf({ owner: two, name: 'New', decimals: 6 })
  expect(brief(changesBetween(before, after))).toEqual([
    ['/control/owner', 'CHANGED', null, true],
    ['/token/decimals', 'CHANGED', null, true],
    ['/token/name', 'CHANGED', null, false],
  ])
})

it('knows pools by their addresses, whatever their order', () => {
  const before = analysisOf({ pools: [poolOf(one), poolOf(two)] })
  const turned = analysisOf({ pools: [poolOf(two), poolOf(one)] })
  expect(changesBetween(before, turned)).toEqual([])
  const after = analysisOf({ pools: [poolOf(two)] })
  expect(brief(changesBetween(before, after))).toEqual([[`/pools/${one}`, 'REMOVED', null, true]])
  expect(brief(changesBetween(after, before))).toEqual([[`/pools/${one}`, 'ADDED', null, true]])
})

it('never reports an unread pool as removed', () => {
  const before = analysisOf({ totalSupply: '5', pools: [poolOf(one)] })
  const unread = analysisOf({ totalSupply: null, gaps: ['/pools', '/token/totalSupply'] })
  expect(brief(changesBetween(before, unread))).toEqual([
    [`/pools/${one}`, 'UNKNOWN', null, true],
    ['/token/totalSupply', 'UNKNOWN', null, false],
  ])
  expect(brief(changesBetween(unread, before))).toEqual([
    [`/pools/${one}`, 'KNOWN', null, true],
    ['/token/totalSupply', 'KNOWN', null, false],
  ])
})
