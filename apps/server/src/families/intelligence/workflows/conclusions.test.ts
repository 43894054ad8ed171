import { expect, it } from 'vitest'
import { analysisOf, poolOf, quoteKey } from '../projects/testing/analysis.ts'
import { exitScale } from './exit-scale.ts'
import { liquidityComparison } from './liquidity-comparison.ts'
import { projectHealth } from './project-health.ts'
import type { Conclusion } from './workflow.ts'

const one = '0x0000000000000000000000000000000000000001'
const two = '0x0000000000000000000000000000000000000002'

const codes = ({ sections }: Conclusion) =>
  sections.flatMap(({ findings }) => findings.map(({ code }) => code))
const computedIn = ({ sections }: Conclusion, code: string) =>
  sections
    .flatMap(({ findings }) => findings)
    .find((found) => found.code === code)
    ?.figures.filter(({ pointer }) => pointer === '')
    .map(({ value, unit }) => `${value} ${unit}`)

it('compares an amount with the total of reserves, rounded up, and with each', () => {
  const pools = [poolOf(one, { reserveBase: '2000' }), poolOf(two, { reserveBase: '1000' })]
  const conclusion = exitScale(analysisOf({ pools }), 10n)
  expect(conclusion).toMatchObject({ state: 'COMPLETED', reasons: [] })
  expect(computedIn(conclusion, 'SHARE_OF_RESERVES')).toEqual([
    ...['10 ATOMS', '3000 ATOMS', '3334 PIPS'],
  ])
  expect(computedIn(conclusion, 'SHARE_OF_POOL')).toEqual(['5000 PIPS'])
  expect(exitScale(analysisOf({ pools }), 10n)).toEqual(conclusion)
})

it('abstains where there is nothing to measure by, and says what', () => {
  expect(exitScale(analysisOf({}), 1n)).toMatchObject({ state: 'ABSTAINED', reasons: ['NO_POOL'] })
  const empty = analysisOf({ pools: [poolOf(one, { reserveBase: '0' })] })
  expect(exitScale(empty, 1n)).toMatchObject({ state: 'ABSTAINED', reasons: ['NO_RESERVE'] })
  const unread = analysisOf({
    pools: [poolOf(one, { reserveBase: null })],
    gaps: ['/pools/0/reserveBase'],
  })
  expect(exitScale(unread, 1n)).toMatchObject({ state: 'ABSTAINED', reasons: ['POOLS_MISSING'] })
})

it('is partial where a pool is missing, and not where something else is', () => {
  const pools = [poolOf(one), poolOf(two, { reserveBase: null })]
  const partial = exitScale(analysisOf({ pools, gaps: ['/pools/1/reserveBase'] }), 1n)
  expect(partial).toMatchObject({ state: 'PARTIAL', reasons: ['POOLS_MISSING'] })
  const whole = exitScale(analysisOf({ pools: [poolOf(one)], gaps: ['/token/name'] }), 1n)
  expect(whole.state).toBe('COMPLETED')
})

it('compares reserves by common quote asset, rounded down, and adds no different ones', () => {
  const other = `eip155:1/erc20:0x${'c'.repeat(40)}`
  const first = analysisOf({
    pools: [poolOf(one, { reserveQuote: '3000' }), poolOf(two, { quote: other })],
  })
  const second = analysisOf({ owner: one, pools: [poolOf(one, { reserveQuote: '1000' })] })
  const conclusion = liquidityComparison(first, second)
  expect(conclusion.state).toBe('COMPLETED')
  expect(computedIn(conclusion, 'RESERVES')).toEqual(['3000 ATOMS', '1000 ATOMS', '333333 PIPS'])
  expect(conclusion.sections[0]?.findings).toHaveLength(1)
  expect(conclusion.sections[0]?.findings[0]?.text).toContain(quoteKey)
  expect(codes(conclusion)).toContain('DIFFERENT')
  const apart = liquidityComparison(first, analysisOf({}))
  expect(apart).toMatchObject({ state: 'ABSTAINED', reasons: ['NOT_COMPARABLE'] })
})

it('reports the data and the gaps of an observation', () => {
  const plain = projectHealth(analysisOf({ pools: [poolOf(one)] }))
  expect(plain).toMatchObject({ state: 'COMPLETED', reasons: [] })
  expect(codes(plain)).toEqual(['TOKEN', 'UNLISTED', 'NO_OWNER', 'POOL', 'COMPLETE'])
  const gaps = ['/token/totalSupply', '/pools']
  const open = projectHealth(analysisOf({ owner: two, totalSupply: null, gaps }))
  expect(open).toMatchObject({ state: 'PARTIAL', reasons: ['FIGURES_MISSING', 'POOLS_MISSING'] })
  expect(codes(open)).toEqual([
    ...['TOKEN', 'UNLISTED', 'OWNER', 'NO_POOL', 'CALL_FAILED', 'CALL_FAILED'],
  ])
})
